"""A line for each family of programs; the ports, files and flags that look alike stay."""

import pytest

from recollect.privacy import redact

SECRET = "Umzug" + "-4711x"


@pytest.mark.parametrize(
    "line",
    """
    curl -u ada:¤ https://api.example/v1
    http -a ada:¤ GET api.example
    wget --http-password=¤ https://files.example/a.zip
    mysql -h db -u root -p¤ shop
    sshpass -p ¤ ssh pi@10.0.0.7
    docker login -u ada -p ¤ registry.example
    skopeo copy --src-creds ada:¤ docker://a docker://b
    redis-cli -h cache -a ¤ ping
    mongodump -u ada -p ¤ --db shop
    sqlcmd -S db -U sa -P ¤ -Q "SELECT 1"
    sqlplus ada/¤@orcl
    ldapsearch -x -D cn=admin -w ¤ -b dc=example
    smbclient //nas/share -U ada%¤
    lftp -u ada,¤ sftp://files.example
    htpasswd -bc .htpasswd ada ¤
    openssl enc -aes-256-cbc -k ¤ -in a
    gpg --batch --passphrase ¤ -d a.gpg
    keytool -list -keystore a.jks -storepass ¤
    rabbitmqctl add_user ada ¤
    ipmitool -H bmc -U admin -P ¤ power status
    xfreerdp /u:ada /p:¤ /v:host
    nmcli dev wifi connect Home password ¤
    7z x -p¤ a.7z
    unzip -P ¤ a.zip
    vault login ¤
    mosquitto_pub -u ada -P ¤ -t a -m b
    kubectl create secret generic a --from-literal=b=¤
    """.strip().splitlines(),
    ids=lambda line: line.split()[0],
)
def test_what_a_program_is_given_is_replaced(line: str) -> None:
    line = line.strip()

    assert redact.redact(line.replace("¤", SECRET)) == line.replace("¤", "[secret:password]")


@pytest.mark.parametrize(
    "line",
    [
        "docker run -p 8080:80 -u 1000:1000 web",
        "ssh -p 2222 ada@host.example",
        "mysql -u root -p shop < dump.sql",
        "curl -u $USER:$TOKEN https://api.example",
        "curl -u ada https://api.example",
        "redis-cli -p 6379 -a $REDIS_PASSWORD ping",
        "openssl rsa -in key.pem -passin file:pass.txt",
        "mkdir -p src/recollect/privacy",
        "git commit -u -p tests/test_a.py",
    ],
)
def test_ports_files_and_variables_stay(line: str) -> None:
    assert redact.redact(line) == line
