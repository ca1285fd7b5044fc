"""The estimate of a text's tokens, beside a real tokenizer: never too low, seldom too high."""

import json
import random
from base64 import b64encode
from collections.abc import Callable
from pathlib import Path
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect import tokens
from tests.client.tokenizer import tokenizer

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
MEMORIES = BENCHMARKS / "labelled/memories.jsonl"
TURNS = BENCHMARKS / "answers/burrow/turns.jsonl"

# Shorter texts are single words by luck of the vocabulary; a context block is no shorter.
SHORTEST = 200

# Later models have tokenizers of their own, a little dearer for prose.
MARGIN = 1.05

PROSE = {
    "plain": """\
The order list took four seconds to open for customers with a long history. Every row asked
the database for its items once more, so a page of forty orders meant forty-one statements.
We now load the items together with the orders, and the page opens in a fifth of a second.
Nobody had noticed because the test data holds three orders; the new test counts statements
and fails as soon as there are more than announced.
""",
    "with names and quotes": """\
Ada wrote: “The nightly job isn’t idempotent — if it’s killed half-way, customers are billed
twice.” Grace agreed, and the team decided that an invoice is created under a key made of the
order and the month. On Tuesday the job ran twice by accident; nothing happened. Mr Turing’s
remark that “a retry is a promise” is now the first line of the runbook…
""",
    "notes": """\
# Deploys

- Staging deploys itself after each merge; production waits for a **tag**.
- Never run migrations by hand: `make migrate` takes the lock that the worker respects.
- If the health check fails, roll back first and ask later:
  1. `make rollback`
  2. tell the channel what you saw
  3. open an issue with the log attached

> Decided with Ada: we keep one week of dumps, because restoring an older one never helped.
""",
}

CODE = {
    "python": '''\
@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """One thing worth knowing in a later session."""

    id: str
    title: str
    status: Status = Status.ACTIVE
    superseded_by: str | None = None

    def supersede(self, by: str) -> Self:
        """Return this memory marked as replaced by the memory *by*."""
        return replace(self, status=Status.SUPERSEDED, superseded_by=by)


def fuse(rankings: Iterable[Sequence[str]]) -> list[str]:
    scores: defaultdict[str, float] = defaultdict(float)
    for ranking in rankings:
        for place, memory_id in enumerate(ranking, start=1):
            scores[memory_id] += 1 / (RANK_DAMPING + place)
    return sorted(scores, key=scores.__getitem__, reverse=True)
''',
    "typescript": """\
import { useEffect, useState } from "react";
import type { Invoice, InvoiceFilter } from "../api/types";

export function useInvoices(filter: InvoiceFilter): Invoice[] | undefined {
  const [invoices, setInvoices] = useState<Invoice[]>();
  useEffect(() => {
    const controller = new AbortController();
    fetch(`/api/v1/invoices?status=${filter.status}`, { signal: controller.signal })
      .then((response) => response.json())
      .then((body: { items: Invoice[] }) => setInvoices(body.items))
      .catch((error) => console.error("Could not load the invoices", error));
    return () => controller.abort();
  }, [filter.status]);
  return invoices;
}
""",
    "rust": """\
impl<'a> Reader<'a> {
    pub fn next_line(&mut self) -> Result<Option<&'a str>, ReadError> {
        let rest = &self.text[self.position..];
        if rest.is_empty() {
            return Ok(None);
        }
        let end = rest.find('\\n').map_or(rest.len(), |at| at + 1);
        self.position += end;
        match rest[..end].trim_end() {
            "" => self.next_line(),
            line if line.starts_with("//") => self.next_line(),
            line => Ok(Some(line)),
        }
    }
}
""",
    "sql": """\
SELECT orders.id, orders.placed_at, sum(items.price * items.amount) AS total
FROM orders
JOIN items ON items.order_id = orders.id
LEFT JOIN refunds ON refunds.order_id = orders.id
WHERE orders.customer_id = :customer
  AND orders.placed_at >= datetime('now', '-30 days')
  AND refunds.id IS NULL
GROUP BY orders.id
ORDER BY total DESC
LIMIT :count;
""",
}

OUTPUT = {
    "shell": """\
$ git status --short && ls -la src/orders && make test
 M src/orders/db.py
?? src/orders/invoices.py
-rw-r--r--  1 ada staff  4096 Nov 12 14:06 db.py
-rwxr-xr-x  1 ada staff   811 Nov  3 09:10 invoices.py
tests/test_orders.py::test_a_page_needs_two_statements PASSED                [ 50%]
tests/test_orders.py::test_refunds FAILED                                    [100%]
=========================== 1 failed, 1 passed in 0.42s ===========================
make: *** [Makefile:12: test] Error 1
""",
    "diff": """\
diff --git a/src/orders/db.py b/src/orders/db.py
index 3f2a9c1..b84e07d 100644
--- a/src/orders/db.py
+++ b/src/orders/db.py
@@ -41,7 +41,9 @@ def get_orders(session, customer_id):
-    return session.query(Order).filter_by(customer_id=customer_id).all()
+    query = select(Order).where(Order.customer_id == customer_id)
+    query = query.options(selectinload(Order.items))
+    return session.scalars(query).all()
""",
    "stack trace": """\
Traceback (most recent call last):
  File "/usr/lib/python3.11/site-packages/sqlalchemy/engine/base.py", line 1964, in _exec
    self.dialect.do_execute(cursor, statement, parameters, context)
  File "/home/ada/shop/src/orders/db.py", line 118, in get_orders
    return session.scalars(query).all()
sqlalchemy.exc.OperationalError: (psycopg2.OperationalError) SSL SYSCALL error: EOF detected
java.lang.NullPointerException: Cannot invoke "Order.getItems()" because "order" is null
\tat com.example.shop.orders.OrderService.total(OrderService.java:87)
\tat com.example.shop.orders.OrderController$$FastClassBySpringCGLIB$$1.invoke(<generated>)
""",
    "paths": """\
/home/ada/shop/src/orders/invoices/list_view.py:118
/usr/local/lib/node_modules/@types/react-dom/client.d.ts
~/.claude/projects/-home-ada-shop/memory/MEMORY.md
C:\\Users\\Ada\\AppData\\Local\\Programs\\Python\\Python311\\Scripts\\pip.exe
.github/workflows/ci.yml tests/unit/context/test_context.py ../../etc/nginx/sites-enabled/x
""",
    "urls": """\
https://docs.example.com/en/latest/how-to/deploy.html?version=2.14.1&lang=en#roll-back
http://localhost:8080/api/v1/orders/1042/items?limit=50&offset=100&sort=-placed_at
https://github.com/example/shop/pull/318/files#diff-9f86d081884c7d659a2feaa0c55ad015R41
postgresql://shop:secret@db-01.internal:5432/shop_production?sslmode=require
""",
    "json": """\
{"id":"a-001","at":"2025-11-03T09:10:00Z","files":["src/orders/db.py","src/orders/api.py"],
"tokens":{"input":18231,"output":412,"cache_read":0},"ok":true,"error":null,"ratio":0.9731}
{
  "name": "shop",
  "version": "2.14.1",
  "scripts": {"test": "vitest run", "build": "tsc -p . && vite build"},
  "dependencies": {"react": "^18.3.1", "zod": "~3.23.8"}
}
""",
    "table": """\
| endpoint        | calls  | p50 ms | p95 ms | errors |
|-----------------|-------:|-------:|-------:|-------:|
| GET /v1/orders  | 18,231 |   41.2 |  210.7 |  0.02% |
| POST /v1/orders |  2,204 |   88.9 |  640.1 |  1.37% |
| GET /v1/refunds |    317 |   35.0 |   92.4 |  0.00% |
┌──────────┬────────┐
│ total    │ 20,752 │
└──────────┴────────┘
""",
    "numbers": """\
3.14159 2.71828 1.41421 0.57721 1024 2048 4096 65536 1700000000 1731420371 -273.15 6.022e23
127.0.0.1 192.168.178.42 10.0.0.0/8 0x7ffee4c1 14:06:11.482 2026-11-12 1,204,551 99.97% 42
17 4 8 15 16 23 42 7 0 1 1 2 3 5 8 13 21 34 55 89 144 233 377 610 987 +49 30 1234567
""",
}

IDS = {
    "uuids": """\
c41a1165-7f0e-4d7b-9a51-0be6b6a7c2f3 1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed
f47ac10b-58cc-4372-a567-0e02b2c3d479 9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d
6ba7b810-9dad-11d1-80b4-00c04fd430c8 550e8400-e29b-41d4-a716-446655440000
""",
    "digests": """\
e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
be4dbdd 06eb980 ff9204b 3c3f4c4 dbbf4a6 D41D8CD98F00B204E9800998ECF8427E
da39a3ee5e6b4b0d3255bfef95601890afd80709
""",
    "base64": """\
q3J9xPz0bV7mYkTLe2hWn8sRuA5cGd1oFfXHiKQZtE4wNlBvUy6jDpMaSrCgO/IK
dGhlIHF1aWNrIGJyb3duIGZveCBqdW1wcyBvdmVyIHRoZSBsYXp5IGRvZywgdHdpY2U=
eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0
Zk8Qw+1rXn7Lb/HsT0vYp5uGeJ2aMdC9iRzK4tNfOq3VxBy6WlSgEhUjDmPcAoI=
""",
    "ids": """\
20261112T140611-c41a1165 20261112T140702-9be07d11 20261113T081459-00f3a2c7
20261114T235959-e7d1b04a 20261115T120000-5a5f0c3e 20261116T142953-b84e07d9
toolu_01A09q90qw90lq917835lq9 msg_01XFDUDYJgAACzvnptvVoYEL req_011CSHoEeqs5C35K2UUqR7Fy
""",
}

LANGUAGES = {
    "german": """\
Die Bestellübersicht brauchte vier Sekunden, weil jede Zeile ihre Positionen einzeln aus der
Datenbank holte. Wir laden sie nun gemeinsam; außerdem prüft ein Test, dass die Anzahl der
Abfragen nicht wieder wächst. Die Überweisungsbestätigung folgt nächste Woche.
""",
    "french": """\
La liste des commandes mettait quatre secondes à s’ouvrir, car chaque ligne était chargée
séparément. Nous les chargeons désormais ensemble ; un test vérifie que le nombre de requêtes
n’augmente plus. La décision a été prise à l’unanimité, après une très longue réunion.
""",
    "spanish": """\
La lista de pedidos tardaba cuatro segundos en abrirse porque cada línea se cargaba por
separado. Ahora se cargan juntas, y una prueba comprueba que el número de consultas no vuelva
a crecer. ¿Y las facturas? También están migradas; faltaría sólo la documentación.
""",
    "polish and turkish": """\
Lista zamówień otwierała się cztery sekundy, ponieważ każdy wiersz wczytywał pozycje osobno.
Teraz są wczytywane razem, a test sprawdza, że liczba zapytań już nie rośnie. Źdźbło, żółć.
Sipariş listesi dört saniyede açılıyordu, çünkü her satır ayrı ayrı yükleniyordu; artık değil.
""",
    "vietnamese": """\
Danh sách đơn hàng mất bốn giây để mở vì mỗi dòng được tải riêng từ cơ sở dữ liệu. Bây giờ
chúng được tải cùng nhau, và một bài kiểm tra bảo đảm rằng số lượng truy vấn không tăng lên
nữa. Quyết định này đã được cả nhóm đồng ý vào thứ ba tuần trước.
""",
    "greek": """\
Η λίστα παραγγελιών άνοιγε σε τέσσερα δευτερόλεπτα, επειδή κάθε γραμμή φορτωνόταν χωριστά.
Τώρα φορτώνονται μαζί και μια δοκιμή ελέγχει ότι ο αριθμός των ερωτημάτων δεν αυξάνεται ξανά.
Η απόφαση πάρθηκε ομόφωνα την περασμένη Τρίτη.
""",
    "russian": """\
Мы исправили страницу заказов: каждая строка загружала позиции отдельным запросом, поэтому
сорок заказов означали сорок один запрос. Теперь хватает двух, и медленный отчёт открывается
за двести миллисекунд. Ещё объём съёмки вырос.
""",
    "arabic": """\
كانت صفحة الطلبات تستغرق أربع ثوانٍ لأن كل سطر كان يُحمَّل على حدة من قاعدة البيانات. نحن
نحمّلها الآن معًا، ويتحقق اختبار من أن عدد الاستعلامات لا يزداد مرة أخرى. اتُّخذ القرار
بالإجماع يوم الثلاثاء الماضي، ولم يعترض أحد من أعضاء الفريق.
""",
    "hebrew": """\
דף ההזמנות נפתח אחרי ארבע שניות, כי כל שורה נטענה בנפרד ממסד הנתונים. עכשיו הן נטענות יחד,
ובדיקה אחת מוודאת שמספר השאילתות אינו גדל שוב. ההחלטה התקבלה פה אחד ביום שלישי שעבר, ואיש
לא התנגד לה. שָׁלוֹם לְכֻלָּם, וְתוֹדָה רַבָּה.
""",
    "hindi": """\
ऑर्डर की सूची खुलने में चार सेकंड लगते थे, क्योंकि हर पंक्ति अलग से डेटाबेस से पढ़ी जाती थी।
अब वे एक साथ पढ़ी जाती हैं, और एक परीक्षण देखता है कि प्रश्नों की संख्या फिर न बढ़े। यह निर्णय
पिछले मंगलवार को सबने मिलकर लिया, और किसी ने विरोध नहीं किया।
""",
    "tamil and bengali": """\
ஆர்டர் பட்டியல் திறக்க நான்கு வினாடிகள் ஆனது, ஏனெனில் ஒவ்வொரு வரியும் தனித்தனியாகப் படிக்கப்பட்டது.
অর্ডারের তালিকা খুলতে চার সেকেন্ড লাগত, কারণ প্রতিটি সারি আলাদাভাবে পড়া হত। এখন একসাথে পড়া হয়,
এবং একটি পরীক্ষা দেখে যে প্রশ্নের সংখ্যা আর বাড়ে না।
""",
    "thai": """\
หน้ารายการสั่งซื้อใช้เวลาเปิดสี่วินาที เพราะแต่ละบรรทัดถูกโหลดแยกกันจากฐานข้อมูล ตอนนี้โหลดพร้อมกันแล้ว
และมีการทดสอบที่ตรวจว่าจำนวนคำสั่งไม่เพิ่มขึ้นอีก ทุกคนในทีมเห็นด้วยกับการตัดสินใจนี้เมื่อวันอังคารที่แล้ว
ไม่มีใครคัดค้านเลยแม้แต่คนเดียว
""",
    "khmer, burmese and amharic": """\
បញ្ជីការបញ្ជាទិញត្រូវការបួនវិនាទីដើម្បីបើក ពីព្រោះជួរនីមួយៗត្រូវបានផ្ទុកដាច់ដោយឡែក។ ឥឡូវនេះផ្ទុករួមគ្នា។
အော်ဒါစာရင်းဖွင့်ရန် လေးစက္ကန့်ကြာခဲ့သည်။ အကြောင်းမှာ စာကြောင်းတိုင်းကို သီးခြားစီ ဖတ်ခဲ့သောကြောင့် ဖြစ်သည်။
የትዕዛዝ ዝርዝሩ ለመክፈት አራት ሰከንድ ይወስድ ነበር፤ አሁን ግን በአንድ ላይ ይነበባል።
""",
    "chinese": """\
订单列表需要四秒才能打开，因为每一行都要单独查询一次数据库。现在我们把明细和订单一起加载，页面只需要两条语句。
新的测试会统计语句的数量，一旦超过声明的数目就会失败。上周二全组一致同意了这个决定，没有人反对。迁移脚本必须先在预发布环境
运行，确认锁的等待时间不超过三百毫秒以后，才可以在生产环境执行；如果失败，先回滚，再查看日志，最后通知值班的同事。另外，
退款接口的重试次数已经改为五次，并且每次都带上同一个幂等键，避免重复扣款。
""",
    "traditional chinese": """\
訂單列表需要四秒才能開啟，因為每一列都要單獨查詢一次資料庫。現在我們把明細和訂單一起載入，頁面只需要兩條敘述。
新的測試會統計敘述的數量，一旦超過宣告的數目就會失敗。上週二全組一致同意了這個決定，沒有人反對。遷移腳本必須先在預備環境
執行，確認鎖的等待時間不超過三百毫秒以後，才可以在正式環境執行；如果失敗，先還原，再檢視紀錄，最後通知值班的同仁。另外，
退款介面的重試次數已經改為五次，並且每次都帶上同一個鍵，避免重複扣款。
""",
    "rare chinese": """\
魑魅魍魎，饕餮梼杌；氤氲旖旎，葳蕤蓊郁。龃龉囹圄，觊觎觳觫；踽踽彳亍，蹀躞踟蹰。
谿壑嶙峋，潋滟斑斓；鳏寡茕独，耄耋期颐。罄竹难书，怙恶不悛；沆瀣一气，狼狈为奸。
龘靐齉爩，麤鱻犇骉；犄角旮旯，皴裂皲瘃。薜荔蘼芜，蘅芷菡萏；鹡鸰鸬鹚，貔貅狻猊。
㐀㐁㐂㐃㐄 𠀀𠀁𠀂𠀃𠀄 𪚥𪛕𫠠。饔飧不继，筚路蓝缕；醍醐灌顶，踔厉奋发。
缱绻羁縻，觥筹交错；瓠瓤瓮牖，甑尘釜鱼。鼙鼓鼯鼠，龅龆龇龈；魆魈魉魋，髫髻髭髯。
""",
    "japanese": """\
注文一覧を開くのに四秒かかっていました。行ごとに明細を別々に読み込んでいたためです。今はまとめて読み込むので、文は二つだけ
です。新しいテストは文の数を数え、宣言より多ければ失敗します。マイグレーションはステージング環境で先に実行し、ロックの待ち
時間が三百ミリ秒を超えないことを確認してください。失敗した場合は、まずロールバックしてから、ログを調べ、担当者に連絡します。
この決定は先週の火曜日に全員で行い、反対する人はいませんでした。
""",
    "korean": """\
주문 목록을 여는 데 사 초가 걸렸습니다. 각 행이 항목을 따로 읽어 왔기 때문입니다.
이제는 함께 읽으므로 문장은 두 개면 충분합니다. 새 테스트는 문장의 수를 세고, 선언한
것보다 많으면 실패합니다. 마이그레이션은 먼저 스테이징 환경에서 실행하고, 잠금을
기다리는 시간이 삼백 밀리초를 넘지 않는지 확인하세요. 실패하면 먼저 되돌리고 나서
로그를 살펴본 뒤 담당자에게 알려 주세요. 지난주 화요일에 모두가 찬성했습니다.
""",
}

ODDITIES = {
    "emoji": "🎉 Done! 🚀 Shipped 🐛 fixed ✅ ❌ ⚠️ 🔥 💡 📝 🧪 🥳 🫠 🪄 🦀 🐍 🤖 🙏 👍🏽 😀 😅 🤷‍♀️ "
    * 5,
    "emoji with joiners": "👩‍💻 👨‍👩‍👧‍👦 🏳️‍🌈 🧑🏿‍🚀 👩🏽‍❤️‍💋‍👨🏻 🐻‍❄️ ❤️‍🔥 🕵️‍♂️ 🧜🏾‍♀️ " * 6,
    "flags": "🇩🇪🇫🇷🇯🇵🇰🇷🇨🇳🇮🇱🇸🇦🇷🇺🇮🇳🇹🇭🏴󠁧󠁢󠁳󠁣󠁴󠁿1️⃣2️⃣#️⃣ " * 6,
    "punctuation": "!?!?;;:::%%$$@@^^&&(([[{{<<>>}}]]))~~``\\\\''\"\"||..,,--++==__**##//" * 4,
    "mixed punctuation": "&#%!@^~`|\\<>?;:'\"{}[]()=+$*/.,-_ }); ]}> !== <=> ?. -> :: ${} #! @{ *) "
    * 4,
    "rules": "----------\n==========\n**********\n__________\n##########\n||||||||||\n.........."
    * 4,
    "whitespace": "if:\n\tthen\t\tgo    on\r\n\r\n        deep\n\n\n  \n \t\n\t\t\tend   \n \t \t"
    * 5,
    "combining marks": "Z̸̧͔a̷͉̓l̵̡͝g̶̰̈o̴̜͌ ẹ̀ ǹ̩ q̃ x̂ m̈ r̥̄ n̥̊ " * 8,
    "symbols": "→ ← ⇒ ≤ ≥ ≠ ∑ ∫ √ ∞ ≈ € £ ₹ ° ± × ÷ § ¶ • … “x” ‘y’ – — ✓ ✗ ★ ⌘ ⌥ ⏎ ½ ² µ Ω ∀x∈A "
    * 4,
    "full width": "ＦＵＬＬ　ｗｉｄｔｈ：１２３、ﾊﾝｶｸ ｶﾀｶﾅ ①②③ ㈱ ℡ Ⅳ ㎏ ﬁ ｶﾞ「引用」『本』【注意】"
    * 4,
    "constants": "MAX_RETRY_COUNT RECOLLECT_TEST_CACHE ANTHROPIC_API_KEY EPIPE ECONNRESET " * 4,
    "camel case": "getUserByIdOrThrow HTTPServerRequestFactory XMLHttpRequest useMemoizedFn " * 4,
}

KINDS = {
    f"{group}: {name}": text
    for group, texts in {
        "prose": PROSE,
        "code": CODE,
        "output": OUTPUT,
        "ids": IDS,
        "language": LANGUAGES,
        "oddity": ODDITIES,
    }.items()
    for name, text in texts.items()
}


@pytest.fixture(scope="module")
def real_cost() -> Callable[[str], int]:
    """What a text costs by a real tokenizer."""
    claude = tokenizer()
    return lambda text: len(claude.encode(text).ids)


def memories() -> dict[str, list[str]]:
    """The labelled memories as notes, by language."""
    notes: dict[str, list[str]] = {}
    for line in MEMORIES.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        note = f"## {row['title']}\n\n{row['body']}\n"
        notes.setdefault(row["lang"], []).append(note)
    return notes


def long_memories() -> list[str]:
    return [note for notes in memories().values() for note in notes if len(note) >= SHORTEST]


class TestEstimate:
    @pytest.mark.parametrize("kind", KINDS)
    def test_no_kind_of_text_costs_more_than_estimated(
        self, real_cost: Callable[[str], int], kind: str
    ) -> None:
        text = KINDS[kind]

        assert len(text) >= SHORTEST
        assert real_cost(text) <= tokens.estimate(text)

    @pytest.mark.parametrize("kind", [kind for kind in KINDS if kind.startswith(("prose", "lang"))])
    def test_prose_of_any_language_has_room_for_a_dearer_tokenizer(
        self, real_cost: Callable[[str], int], kind: str
    ) -> None:
        text = KINDS[kind]

        assert real_cost(text) * MARGIN <= tokens.estimate(text)

    def test_no_memory_costs_more_than_estimated_dearer_tokenizer_or_not(
        self, real_cost: Callable[[str], int]
    ) -> None:
        dear = [
            note for note in long_memories() if real_cost(note) * MARGIN > tokens.estimate(note)
        ]

        assert dear == []

    def test_nor_do_the_memories_of_a_language_taken_together(
        self, real_cost: Callable[[str], int]
    ) -> None:
        joined = {language: "".join(notes) for language, notes in memories().items()}

        assert set(joined) == {"en", "zh", "ja", "ko", "de", "fr", "es"}
        for text in joined.values():
            assert real_cost(text) * MARGIN <= tokens.estimate(text)

    @given(
        pieces=st.lists(
            st.one_of(st.sampled_from(sorted(KINDS.values())), st.sampled_from(long_memories())),
            min_size=1,
            max_size=6,
        ),
        between=st.sampled_from(["", "\n", "\n\n", " "]),
    )
    @settings(max_examples=150)
    def test_no_mixture_of_kinds_costs_more_than_estimated(
        self, real_cost: Callable[[str], int], pieces: list[str], between: str
    ) -> None:
        text = between.join(pieces)

        assert real_cost(text) <= tokens.estimate(text)

    @pytest.mark.parametrize("seed", range(20))
    def test_nothing_drawn_by_lot_costs_more_than_estimated(
        self, real_cost: Callable[[str], int], seed: int
    ) -> None:
        lot = random.Random(seed)
        uuids = " ".join(str(UUID(bytes=lot.randbytes(16))) for _ in range(20))
        base64 = b64encode(lot.randbytes(500)).decode()
        digest = lot.randbytes(400).hex()

        for text in (uuids, base64, digest):
            assert real_cost(text) <= tokens.estimate(text)

    @pytest.mark.parametrize("kind", [kind for kind in KINDS if kind.startswith(("prose", "code"))])
    def test_prose_and_code_are_not_estimated_far_too_dear(
        self, real_cost: Callable[[str], int], kind: str
    ) -> None:
        text = KINDS[kind]

        assert tokens.estimate(text) <= 1.7 * real_cost(text)

    def test_english_memories_are_not_estimated_far_too_dear(
        self, real_cost: Callable[[str], int]
    ) -> None:
        text = "".join(memories()["en"])

        assert tokens.estimate(text) <= 1.4 * real_cost(text)

    def test_what_agents_write_usually_costs_what_is_said(
        self, real_cost: Callable[[str], int]
    ) -> None:
        lines = TURNS.read_text(encoding="utf-8").splitlines()
        text = "\n".join(json.loads(line)["answer"] for line in lines)

        assert 0.9 < tokens.usual(text) / real_cost(text) < 1.1

    def test_nothing_costs_nothing(self) -> None:
        assert tokens.estimate("") == 0

    def test_half_a_character_has_a_price(self) -> None:
        assert tokens.estimate("\ud83d") > 0

    @given(st.text(), st.text())
    def test_joined_texts_cost_no_more_than_each_for_itself(self, one: str, other: str) -> None:
        together = tokens.estimate(one + other)

        assert together <= tokens.estimate(one) + tokens.estimate(other)

    @given(st.text(), st.text())
    def test_a_longer_text_is_never_cheaper(self, text: str, more: str) -> None:
        assert tokens.estimate(text) <= tokens.estimate(text + more)


# Text of each kind in small pieces, so that a limit falls within any of them.
texts = st.lists(st.one_of(st.text(max_size=9), st.sampled_from(sorted(KINDS.values())))).map(
    "".join
)


class TestAffordable:
    @given(texts, st.one_of(st.integers(0, 500), st.floats(0, 500)))
    def test_what_is_affordable_costs_at_most_the_limit(self, text: str, limit: float) -> None:
        count = tokens.affordable(text, limit)

        assert tokens.estimate(text[:count]) <= limit

    @given(texts, st.integers(0, 500))
    def test_one_character_more_would_cost_too_much(self, text: str, limit: int) -> None:
        count = tokens.affordable(text, limit)

        assert count == len(text) or tokens.estimate(text[: count + 1]) > limit

    @given(st.text(min_size=1), st.integers(max_value=0))
    def test_without_tokens_nothing_is_affordable(self, text: str, limit: int) -> None:
        assert tokens.affordable(text, limit) == 0
