"""What docs/serve.md has root do, on a machine whose systemd is its own."""

COMMANDS = (
    "python3 -m venv /opt/demine",
    "/opt/demine/bin/pip install 'demine[web,solver]'",
    "ln -s /opt/demine/bin/demine /usr/local/bin/demine",
    "cp /opt/demine/share/demine/systemd/* /etc/systemd/system/",
    "echo 'DEMINE_SERVE=--host-name mines.example' > /etc/default/demine",
    "systemctl enable --now demine.socket demine.service",
)
