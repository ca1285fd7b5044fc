"""The words with which people point back at earlier work, as plain data per group of languages.

Words are parted by commas, the rows of a table by semicolons. A phrase is words with a few signs:
`(a|b)` is either, `[a]` may be left out, `…` is a few words and `<a>` are words that stay in the
topic. Capitals stand for a list: `DONE`, `DO`, `THING` and `POLITE` are those of the language;
`WORD` is any word; `THE` is where a noun begins, with `the`, `that`, `our`, ... or the sentence;
`END` is where a clause ends; `AGO` and `SPAN` are amounts like `3 days`; `DATE` is a date.
"""

from dataclasses import dataclass

LAST_SESSION = "last session"


@dataclass(frozen=True, slots=True, kw_only=True)
class PointingWords:
    """How one language, or some alike, speak of earlier work."""

    done: str
    """What is done together, in the past; `do` is what stands after `did we`."""
    do: str = ""
    things: str
    """What is worked on. One error is such a thing; all errors of a day are rather data."""
    deeds: tuple[str, ...]
    """Somebody of us with something done; it points together with a time."""
    before: tuple[str, ...] = ()
    """What makes the time behind it that of a thing; `after` is what follows `yesterday's`."""
    after: tuple[str, ...] = ()
    last: tuple[str, ...]
    """These mean the last session, and `some` asks for shared work without naming a time."""
    some: tuple[str, ...] = ()
    go_on: tuple[str, ...]
    """A whole prompt that says little more than `continue`, but for what is polite."""
    polite: str
    times: str
    """A table of the times that have a name; `counted` are those with an amount or a date."""
    counted: tuple[str, ...] = ()
    counts: str = ""
    units: str = ""
    is_spaced: bool = True


ENGLISH = PointingWords(
    done=(
        "discussed,talked about,talked through,talked,decided on,decided,agreed on,agreed,did,done,"
        "made,fixed,tried,built,changed,looked at,looked into,wrote,written,added,found,left off,"
        "stopped,worked on,started on,started with,started,began,implemented,refactored,removed,"
        "deleted,renamed,moved to,moved,migrated,switched to,switched,set up,introduced,created,"
        "designed,planned,investigated,debugged,solved,resolved,patched,chose,picked,settled on,"
        "suggested,proposed,mentioned,said,told me,showed me,explained,ended up with,reverted,"
        "rewrote,cleaned up,came up with,went with,figured out,finished,merged,split,extracted,"
        "learned,profiled,benchmarked,reviewed,tested,got done,were working on,were doing"
    ),
    do=(
        "discuss,talk about,decide on,decide,agree on,do,make,fix,try,build,change,look at,write,"
        "add,find,leave off,stop,work on,start,implement,refactor,remove,delete,rename,move,"
        "migrate,switch,set up,create,design,plan,investigate,debug,solve,resolve,choose,pick,"
        "settle on,suggest,propose,say,tell me,end up with,revert,rewrite,clean up,come up with,"
        "go with,figure out,finish,merge,split,see,get done,learn,touch,review,test,ask you to do"
    ),
    things=(
        "bug,fix,fixes,error,crash,failure,issue,problem,regression,change,changes,decision,"
        "decisions,refactor,refactoring,test,tests,feature,thing,things,idea,ideas,approach,plan,"
        "one,stuff,work,discussion,solution,leak,deadlock,workaround,script,patch,experiment,"
        "attempt,proposal,rewrite,rename,cleanup,implementation,migration,vulnerability"
    ),
    deeds=(
        "((we|you)['ve|'d| have| had]|(have|haven't|havent|had) (we|you|i)|what i)"
        "[ (already|just|also|actually|finally|ever|last)] DONE(?! (to|that (the|all|we|it)) )",
        "(did|didn't|didnt) (we|you|i)[ (already|just|also|actually|ever|last|not)] DO(?! to )",
        "(was|were) (we|you|i) (working on|doing|discussing|talking about|debugging)",
        "as (discussed|agreed|decided)",
        "i (asked|told) you",
    ),
    before=(
        "THE THING (from|of|(we|you|i) (had|hit|saw)[ (on|over|in)])",
        "our [WORD ](session|conversation|chat) (from|of)",
        "^[POLITE ](continue|carry on|resume|go on|pick [it ]up)[ (it|this|work|working)] from",
    ),
    after=(" [WORD ][WORD ](THING|session|conversation|chat)",),
    last=(
        "[from ]where (we|you|i)['ve|'d| have| had] (left [(it|things) ]off|stopped|paused)",
        "where were we",
        "where did (we|you|i) (leave[ it][ off]|stop|end|finish|get to)",
        "what (were we|was i|were you) (working on|doing|up to|talking about|discussing)",
        "as [(already|previously) ](discussed|agreed)(?! (mean|in|on|with|at|by|between) )",
        "(as|like) we['ve|'d| have| had][ already]"
        " (discussed|agreed|decided|talked about|said|planned)(?! (with|by|at) )",
        "[that ]we['ve|'d| have| had][ already]"
        " (discussed|talked about|talked through|agreed on|settled on|decided on) END",
        "(like|as|same as|from|since) [the ]last time END",
        "our (last|previous|earlier) (session|conversation|chat|discussion)",
    ),
    some=(
        "(what|how|why|when|where|which …) did we[ (actually|finally|originally|end up)] (decide on"
        "|decide|fix|solve|resolve|choose|choosing|agree on|discuss|talk about|try|settle on|pick"
        "|go with|going with|do about|conclude)",
        "(did|didn't|didnt|have|haven't|havent) we (?=.{0,60}(already|before END))[(ever|already) ]"
        "(fix|solve|discuss|decide|try|do|have|see|fixed|solved|discussed|tried|had|seen|done|hit)",
        "(remember (when|how)|remind me (how|why|what)) we (fixed|solved|decided|did|chose|built"
        "|discussed|agreed on|handled)",
    ),
    go_on=(
        "(continue|go on|keep going|carry on|resume|proceed|pick [it ]up)[ [with ](it|this|that"
        "|work|working|[the |our |your |this ](work|session|conversation|task|plan)"
        "|(the|our) (last|previous) (session|task)|from (there|here|before)|as (before|planned))]",
        "(continue|go on|carry on|proceed|keep going|resume) with …",
        "(continue|keep|keep on|resume) (working|[(our|the|my) ]work) on …",
        "(continue|resume) (the|our|that|your) <[WORD ](THING|WORD(ring|ting|tion))>",
    ),
    polite=(
        "ok,okay,yes,yep,yeah,sure,please,pls,plz,alright,great,cool,nice,now,good,so,and,then,right,"
        "thanks,thx,hey,hi,hello,just,let's,lets,can you,could you,you can,we can,i want to,"
        "i want you to,i'd like to,yo,claude,again,morning,lgtm"
    ),
    times=(
        "today: today,earlier today; this morning: this morning,earlier this morning;"
        "yesterday: yesterday,yesterday morning,yesterday afternoon,yesterday evening;"
        "last night: last night,yesterday night; two days ago: the day before yesterday;"
        "this week: this week,earlier this week; last week: last week;"
        "the other day: the other day,a while ago,a while back,recently,the last days;"
        "weekend: the weekend,last weekend; this month: this month,earlier this month;"
        "last month: last month; this year: this year; last year: last year;"
        "last session: last time,last session,the last session,previous session,"
        "the previous session,a previous session,an earlier session,earlier;"
        "monday: monday,last monday,on mon,last mon; tuesday: tuesday,last tuesday,on tue,last tue;"
        "wednesday: wednesday,last wednesday,on wed; thursday: thursday,last thursday,on thu;"
        "friday: friday,last friday,on fri,last fri; saturday: saturday,last saturday;"
        "sunday: sunday,last sunday"
    ),
    counted=("AGO (ago|back)", "(the|these) (last|past) SPAN", "DATE"),
    counts="1: a,an,one; 2: two,a couple,a couple of; 3: three; 4: four; few: few,a few,several",
    units="hour: hour,hours;day: day,days;week: week,weeks;month: month,months;year: year,years",
)

# German, French and Spanish.
EUROPEAN = PointingWords(
    done=(
        "besprochen,gemacht,entschieden,beschlossen,gefixt,behoben,geändert,gebaut,ausprobiert,"
        "angeschaut,geschrieben,gefunden,diskutiert,vereinbart,aufgehört,umgebaut,gelöst,angefangen,"
        "discuté,parlé,décidé,fait,corrigé,essayé,changé,ajouté,écrit,vu,trouvé,choisi,commencé"
    ),
    do=(
        "hicimos,hablamos,discutimos,decidimos,arreglamos,cambiamos,probamos,añadimos,vimos,"
        "escribimos,encontramos,acordamos,empezamos,elegimos,hiciste,escribiste,cambiaste"
    ),
    things=(
        "bug,fix,refactoring,test,fehler,problem,änderung,entscheidung,idee,ansatz,lösung,"
        "erreur,problème,correctif,décision,idée,solution,"
        "error,problema,arreglo,cambio,decisión,idea,solución"
    ),
    deeds=(
        "(haben wir|hatten wir|hast du|wir haben|wir hatten) … DONE",
        "[qu'](on a|on avait|nous avons|tu as|avons-nous|as-tu)[ (déjà|bien)] DONE",
        "[que ]DO",
    ),
    before=("THE THING (von|vom|aus|de|du|d'|del)",),
    last=(
        "(wie|comme|como) [(schon|bereits|beim) ](besprochen|vereinbart|letzte(n|s) mal|discuté"
        "|convenu|on a dit|la dernière fois|hablamos|acordamos|quedamos|la última vez)"
        "(?! (in|im|mit|beim|dans|avec|con|en) )",
        "(wo waren wir[ stehen[ ]geblieben]|wo haben wir aufgehört|où en étions-nous"
        "|où on (en était|s'est arrêté[s])|d(ó|o)nde (lo dejamos|nos quedamos|estábamos))",
        "dont (on a|nous avons) (parlé|discuté)",
    ),
    go_on=(
        "(weiter[machen]|continue|continuons|reprends|continúa|continua|sigue|sigamos|seguimos)"
        "[ (mit|avec|sur|con) (les |le |la |los |las |el |den |der |dem |)…]",
        "mach[e][ (bitte|da|damit)][ mit …] weiter",
    ),
    polite=(
        "ok,okay,ja,bitte,gut,jetzt,dann,danke,und,oui,stp,svp,s'il te plaît,merci,bien,alors,"
        "maintenant,on,vas-y,sí,si,vale,por favor,ahora,gracias,bueno,dale"
    ),
    times=(
        "today: heute,aujourd'hui,hoy; yesterday: gestern,hier,ayer; monday: montag,lundi,el lunes;"
        "two days ago: vorgestern,avant-hier,anteayer;"
        "this week: diese woche,cette semaine,esta semana;"
        "last week: letzte woche,letzter woche,la semaine dernière,la semana pasada;"
        "last month: letzten monat,le mois dernier,el mes pasado;"
        "last session: letztes mal,beim letzten mal,la dernière fois,la última vez"
    ),
)

# Chinese and Japanese.
UNSPACED = PointingWords(
    done="話し,相談し,決め,直し,修正し,変更し,試し,書い,追加し,実装し,作っ,議論し,調べ",
    things="bug,修复,改动,决定,重构,讨论,问题,错误,バグ,修正,変更,決定,作業,件",
    deeds=(
        "(我们|咱们|你)…(讨论|聊|做|决定|修复|修|改|试|写|加|说|商量|实现|重构|解决|添加)(过|了|好|的)",
        "我们…(决定|讨论)",
        "(?<!が)(?<!は)DONE(ていた|てた|た|ました)[(こと|の)]",
        "(?<!が)(?<!は)やった(こと|の)",
    ),
    after=("[(那个|这个)]THING(?!ログ)",),
    last=(
        "[(按照|按|像)]我们[(之前|已经|上次)](讨论|商量|说|聊)(过|好)[的]",
        "(按|按照|像|跟|和)上次(一样|那样)",
        "上次(我们|讨论|聊|说到|做到|的工作)",
        "前回の(続き|作業|話|議論)[(から|を)]",
    ),
    go_on=(
        "(继续|接着)[上次][的][(吧|做|工作|继续|写|下去)]",
        "続け(て|を|から)[(ください|下さい)]",
    ),
    polite="好的,好,请,谢谢,，,はい,では,お願い,お願いします,、",
    times=(
        "yesterday: 昨天,昨日; two days ago: 前天; last week: 上周,先週; the other day: 先日;"
        "last session: 上次,前回"
    ),
    is_spaced=False,
)

LANGUAGES = (ENGLISH, EUROPEAN, UNSPACED)

MONTHS = (
    "1: jan,january; 2: feb,february; 3: mar,march; 4: apr,april; 5: may; 6: jun,june; 7: jul,july;"
    "8: aug,august; 9: sep,september; 10: oct,october; 11: nov,november; 12: dec,december"
)
THE = (
    "the,that,this,our,my,your,same,those,these,which,der,die,das,den,dem,diese,dieser,unser,le,la,"
    "l',ce,cette,notre,el,ese,esa,este,nuestro"
)
END = "for,but,and,is,was,please,here,to,so,now,then,already,before,again,too,also"
SINCE = frozenset("since seit depuis desde".split())
# These belong to the time behind them.
WHEN = SINCE | frozenset("on in over during am en el le".split())
# A time behind these is that of a thing, or none of the past.
LOOSE = frozenset(
    "from of for by to until before after every each next a an the than covers cover shows show is "
    "von vom aus für bis ab nach der die das de d' du pour avant après à del para hasta".split()
)
# What is done on a condition is not done, and what is done to all of these is done by a program.
UNSHARED = frozenset(
    "if once after when until unless users customers orders products emails invoices rows records "
    "items accounts entries posts payments".split()
)
# After these, a time is no more that of the deed: `we agreed the report covers last week`.
BREAKS = frozenset(
    "if when whether user users customer customers client clients they he she who should will must "
    "would covers shows needs what which happened after even until unless instead while fail fails "
    "next button link iteration does doesn't is are was not wenn ob kunden si quand , : (".split()
)
# Before these a time is no time, but a name: `a last week filter`, `monday as first day`.
COMPOUND = (
    "as,filter,tab,column,option,view,button,report,range,chart,label,data,logs,file,id,token"
)
# How the words begin that tell what is looked for.
TYPES = {
    "security": "security,vulnerabilit,sicherheit,sécurité,seguridad,安全",
    "bugfix": "bug,fix,error,crash,regression,fehler,gefixt,behoben,erreur,arregl,修复,バグ,修正",
    "decision": "decision,decide,agree,chose,choose,entschi,décision,décidé,decidimos,决定,決め",
    "refactor": "refactor,refaktor,umbau,rewrite,cleanup,重构,リファクタ",
    "feature": "feature,fonctionnalité,funcionalidad,功能,機能",
}
# What is left at the edges of a topic and says nothing.
IDLE = frozenset(
    """
    a an the that this those these it our my your we you i me us and or but so then now what which
    how why when where whats did do does was were is are been have has had can could would should
    please pls plz ok okay yes yep yeah hey hi thanks let's lets about on in at of from for with to
    by as like same regarding again exactly just also already still before earlier tell remind show
    summarize summary recap give list remember status claude think everything anything all thing
    things stuff one work way approach idea ideas plan part session back there here out continue
    resume proceed go going pick up off start carry keep get
    wie warum wo der die das den dem und bitte ja mit von zu über an am im es wir ich du weiter da
    nochmal idee ansatz sache wieder ist uns lass kannst
    le la les l' un une du de d' et ce cette que qu' qu'est-ce quoi comment pourquoi nous tu sur
    avec idée truc stp reprends là el los lo y con por qué cómo del al en cosa seguimos mach
    """.split()
) | {""}
IDLE_UNSPACED = (
    "那个,这个,什么,我们,一下,按,请,的,了,过,吗,呢,方案,在,是,改,を,は,が,に,の,こと,何,も,で,から,か,"
    "お願いします"
)
