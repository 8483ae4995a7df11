#!/bin/sh
# Installs the Vedette agent as a systemd service with a user of its own. As root:
#
#   sh install.sh --enroll TOKEN    as a new device of an organization
#   sh install.sh --token TOKEN     as a device that exists already
#   sh install.sh                   updates an agent that is installed
#   sh install.sh --uninstall       removes everything that it has installed
#
# DESTDIR=/mnt puts the files below /mnt.
set -eu

SERVER="@SERVER@"
HOME_DIR=/opt/vedette-agent
CONFIG=/etc/vedette-agent.conf
UNIT=/etc/systemd/system/vedette-agent.service
STATE=/var/lib/vedette-agent
USER_NAME=vedette-agent
NODE_NEEDED=20
ROOT="${DESTDIR:-}"
NO_NODE="Install Node $NODE_NEEDED or newer first (https://nodejs.org/en/download), then run this again."

fail() { echo "vedette-agent: $*" >&2; exit 1; }

fetch() { # URL FILE
  if command -v curl >/dev/null; then curl -fsSL --retry 3 -o "$2" "$1"
  elif command -v wget >/dev/null; then wget -qO "$2" "$1"
  else fail "install curl or wget first."
  fi
}

# Downloads a file from the server and verifies its checksum.
fetch_checked() { # NAME FILE
  fetch "$SERVER/agent/$1" "$2" && fetch "$SERVER/agent/$1.sha256" "$2.sha256" || return 1
  wanted=$(cut -c1-64 "$2.sha256")
  found=$(sha256sum "$2" | cut -c1-64)
  [ "$wanted" = "$found" ] || fail "$1 does not match its checksum. Nothing was installed."
}

uninstall() {
  systemctl disable --now vedette-agent.service 2>/dev/null || true
  rm -rf "$ROOT$UNIT" "$ROOT$UNIT.d" "$ROOT$CONFIG" "$ROOT$HOME_DIR" "$ROOT$STATE"
  systemctl daemon-reload 2>/dev/null || true
  if id "$USER_NAME" >/dev/null 2>&1; then userdel "$USER_NAME"; fi
  echo "vedette-agent has been removed. The device stays on the server until you delete it there."
}

is_new_enough() { # FILE
  version=$("$1" -p 'process.versions.node.split(".")[0]' 2>/dev/null) && [ "$version" -ge "$NODE_NEEDED" ]
}

# Sets NODE: the machine's own if it is new enough, else the one that the server has for this platform.
find_node() {
  NODE=$(command -v node || true)
  # The agent's user cannot run what is in another user's home.
  case "$(readlink -f "$NODE" || true)" in
    "" | /root/* | /home/* | /snap/*) ;;
    *) if is_new_enough "$NODE"; then return; fi ;;
  esac
  case "$(uname -m)" in x86_64) platform=linux-x64 ;; aarch64) platform=linux-arm64 ;; *) platform=other ;; esac
  echo "This machine has no Node $NODE_NEEDED or newer. Downloading the server's own ..."
  fetch_checked "node-$platform.gz" "$work/node.gz" || fail "$NO_NODE"
  gzip -dc "$work/node.gz" > "$work/node"
  chmod 755 "$work/node"
  is_new_enough "$work/node" || fail "the server's Node does not run here. $NO_NODE"
  NODE="$HOME_DIR/node"
}

put() { # FILE PLACE: completely or not at all, even while the old one is running
  install -m 755 "$1" "$ROOT$2.new"
  mv -f "$ROOT$2.new" "$ROOT$2"
}

write_unit() {
  cat > "$ROOT$UNIT" <<UNIT
[Unit]
Description=Vedette agent
After=network-online.target
Wants=network-online.target

[Service]
User=$USER_NAME
# Code that is not compiled and one arena of the C library: a few megabytes less.
ExecStart=$NODE --lite-mode --max-semi-space-size=1 $HOME_DIR/vedette-agent.mjs --config $CONFIG
Environment=MALLOC_ARENA_MAX=1
StateDirectory=vedette-agent
StateDirectoryMode=0700
UMask=0077
Restart=always
RestartSec=10
# What is wrong with the options stays wrong; 3: the token was revoked (exit-on-revoke).
RestartPreventExitStatus=2 3
Nice=5
# It reads all of /proc and /sys and writes to its state alone. Without ProtectProc, PrivateUsers and ProtectHostname, which
# would hide from it what it is here to see.
NoNewPrivileges=yes
CapabilityBoundingSet=
ProtectSystem=strict
ProtectHome=read-only
PrivateTmp=yes
# Of devices the usual ones alone, and the one by which the zfs command says how full pools are.
DevicePolicy=closed
DeviceAllow=/dev/zfs rw
ProtectClock=yes
ProtectControlGroups=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallErrorNumber=EPERM

[Install]
WantedBy=multi-user.target
UNIT
}

main() {
  token_line=""
  while [ $# -gt 0 ]; do
    case "$1" in
      --uninstall) [ "$(id -u)" = 0 ] || fail "run this as root."; uninstall; exit 0 ;;
      --token | --enroll) [ $# -ge 2 ] || fail "$1 needs a token."; token_line="${1#--} = $2"; shift 2 ;;
      *) fail "there is no option $1." ;;
    esac
  done

  [ "$(id -u)" = 0 ] || fail "run this as root."
  [ "$(uname -s)" = Linux ] || fail "this script is for Linux. On other systems run the agent by hand: node vedette-agent.mjs --help"
  # As sd_booted(3) does: a container may have systemd's programs without a systemd that runs.
  { command -v systemctl >/dev/null && { [ -n "$ROOT" ] || [ -d /run/systemd/system ]; }; } ||
    fail "this machine is not run by systemd. Run the agent by hand: node vedette-agent.mjs --help"
  [ -n "$token_line" ] || [ -f "$ROOT$CONFIG" ] || fail "say which device this is: --enroll TOKEN or --token TOKEN."

  # First everything that can fail.
  mkdir -p "$ROOT${HOME_DIR%/*}"
  work=$(mktemp -d "$ROOT$HOME_DIR.XXXXXX")
  trap 'rm -rf "$work"' EXIT
  fetch_checked vedette-agent.mjs "$work/vedette-agent.mjs" || fail "$SERVER/agent/vedette-agent.mjs cannot be downloaded."
  find_node

  id "$USER_NAME" >/dev/null 2>&1 || useradd --system --no-create-home --home-dir "$STATE" --shell /usr/sbin/nologin "$USER_NAME"
  mkdir -p "$ROOT$HOME_DIR" "$ROOT${UNIT%/*}" "$ROOT${CONFIG%/*}"
  put "$work/vedette-agent.mjs" "$HOME_DIR/vedette-agent.mjs"
  [ ! -f "$work/node" ] || put "$work/node" "$HOME_DIR/node"
  # Its device was deleted: it becomes a new one, also with the same enrollment token.
  case "$token_line" in enroll*)
    if grep -qs '"isRefused":true' "$ROOT$STATE/identity.json"; then rm -f "$ROOT$STATE/identity.json"; fi ;;
  esac
  if [ -n "$token_line" ]; then
    (umask 077 && printf 'server = %s\n%s\n' "$SERVER" "$token_line" > "$ROOT$CONFIG")
  fi
  chown "$USER_NAME" "$ROOT$CONFIG"
  chmod 600 "$ROOT$CONFIG"
  write_unit
  chmod 644 "$ROOT$UNIT"
  systemctl daemon-reload
  systemctl enable vedette-agent.service
  systemctl restart vedette-agent.service
  echo "vedette-agent is running and reports to $SERVER. To see its log: journalctl -u vedette-agent"
}

# At the very end, so that nothing runs if the download of this script was cut off.
main "$@"
