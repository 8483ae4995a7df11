import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, it, onTestFinished } from "vitest";
import { AGENT_FOLDER, installScript } from "../../../../src/monitors/devices/download/agent-files.ts";

const isLinux = process.platform === "linux";
const architecture = process.arch === "arm64" ? "linux-arm64" : "linux-x64";
const sha256 = (content: string | Buffer) => createHash("sha256").update(content).digest("hex");
const PROGRAM = "console.log('the agent');\n";
/** Stands in for a Node of that version, of which the script needs nothing else. */
const nodeOf = (version: number) => `#!/bin/sh\necho ${version}\n`;

/** Programs of a machine with systemd, which log their arguments. */
const MACHINE = {
  systemctl: 'echo "systemctl $*" >> "$LOG"',
  useradd: 'echo "useradd $*" >> "$LOG"; touch "$LOG.user"',
  userdel: 'echo "userdel $*" >> "$LOG"; rm "$LOG.user"',
  chown: 'echo "chown $*" >> "$LOG"',
  id: 'if [ "$1" = -u ]; then echo 0; else [ -f "$LOG.user" ]; fi',
  // What the server has lies in a folder.
  curl: 'for last; do :; done; while [ "$1" != -o ]; do shift; done; cp "$SERVED/${last##*/}" "$2" 2>/dev/null || { echo "404" >&2; exit 22; }',
};

/** A machine whose root is a folder, and a server beside it. `node`: the version that the machine has. */
function createMachine({ node = 22 }: { node?: number | null } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "vedette-agent-install-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const at = (...parts: string[]) => join(folder, ...parts);
  for (const name of ["bin", "root", "served"]) mkdirSync(at(name));
  const command = (name: string, text: string) => {
    writeFileSync(at("bin", name), text);
    chmodSync(at("bin", name), 0o755);
  };
  for (const [name, line] of Object.entries(MACHINE)) command(name, `#!/bin/sh\n${line}\n`);
  // Without one the machine's own must not be found either.
  command("node", node === null ? "#!/bin/sh\nexit 1\n" : nodeOf(node));
  const serve = (name: string, content: string | Buffer, checksum = sha256(content)) => {
    writeFileSync(at("served", name), content);
    writeFileSync(at("served", `${name}.sha256`), `${checksum}  ${name}\n`);
  };
  serve("vedette-agent.mjs", PROGRAM);
  const run = (...args: string[]) => runFirst(1, ...args);
  /** `share`: how much of the script arrives. */
  const runFirst = async (share: number, ...args: string[]) => {
    const whole = await installScript(AGENT_FOLDER, "https://status.example.com");
    const script = whole.slice(0, Math.floor(whole.length * share));
    const shell = spawn("sh", ["-s", "--", ...args], {
      env: {
        PATH: `${at("bin")}:${process.env["PATH"]}`,
        ...{ DESTDIR: at("root"), LOG: at("log"), SERVED: at("served") },
      },
    });
    let output = "";
    for (const stream of [shell.stdout, shell.stderr]) stream.on("data", (text) => (output += text));
    shell.stdin.end(script);
    const code = await new Promise<number | null>((resolve) => shell.on("close", resolve));
    return { code, output };
  };
  const read = (path: string) => readFileSync(at("root", path), "utf8");
  const commands = () => (existsSync(at("log")) ? readFileSync(at("log"), "utf8") : "");
  return { run, runFirst, read, serve, commands, at, files: () => filesBelow(at("root")) };
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}

const CONFIG = "etc/vedette-agent.conf";
const UNIT = "etc/systemd/system/vedette-agent.service";

it.skipIf(!isLinux)(
  "installs a service with a user of its own, whose options only that user reads",
  async () => {
    const machine = createMachine();
    expect(await machine.run("--enroll", "vde_token")).toMatchObject({ code: 0 });
    expect(machine.files()).toEqual([UNIT, CONFIG, "opt/vedette-agent/vedette-agent.mjs"].sort());
    expect(machine.read("opt/vedette-agent/vedette-agent.mjs")).toBe(PROGRAM);
    expect(machine.read(CONFIG)).toBe("server = https://status.example.com\nenroll = vde_token\n");
    expect(statSync(machine.at("root", CONFIG)).mode & 0o777).toBe(0o600);
    const unit = machine.read(UNIT);
    expect(unit).toContain("User=vedette-agent\n");
    expect(unit).toContain(`ExecStart=${machine.at("bin/node")} `);
    expect(unit).toContain("NoNewPrivileges=yes\n");
    const commands = machine.commands();
    expect(commands).toContain("useradd --system");
    expect(commands).toContain(`chown vedette-agent ${machine.at("root", CONFIG)}\n`);
    expect(commands).toMatch(
      /systemctl enable vedette-agent.service\nsystemctl restart vedette-agent.service\n$/,
    );
  },
);

it.skipIf(!isLinux)("installs nothing that does not match its checksum", async () => {
  const machine = createMachine();
  machine.serve("vedette-agent.mjs", "something else", sha256(PROGRAM));
  const { code, output } = await machine.run("--enroll", "vde_token");
  expect(code).toBe(1);
  expect(output).toContain("vedette-agent.mjs does not match its checksum");
  expect(machine.files()).toEqual([]);
  expect(readdirSync(machine.at("root/opt"))).toEqual([]);
  expect(machine.commands()).toBe("");
});

it.skipIf(!isLinux)("brings the server's Node where there is none that is new enough", async () => {
  const machine = createMachine({ node: 18 });
  machine.serve(`node-${architecture}.gz`, gzipSync(nodeOf(26)));
  expect(await machine.run("--token", "vda_token")).toMatchObject({ code: 0 });
  expect(machine.read("opt/vedette-agent/node")).toBe(nodeOf(26));
  expect(machine.read(UNIT)).toContain("ExecStart=/opt/vedette-agent/node ");
  expect(machine.read(CONFIG)).toContain("token = vda_token\n");
});

it.skipIf(!isLinux).each([
  ["has none for this platform", () => undefined],
  [
    "names another checksum of it",
    (machine: ReturnType<typeof createMachine>) =>
      machine.serve(`node-${architecture}.gz`, gzipSync(nodeOf(26)), sha256("other")),
  ],
  [
    "has one that does not run here",
    (machine: ReturnType<typeof createMachine>) =>
      machine.serve(`node-${architecture}.gz`, gzipSync("#!/nowhere/libc\n")),
  ],
])("installs nothing where there is no Node and the server %s", async (_, prepare) => {
  const machine = createMachine({ node: null });
  prepare(machine);
  const { code, output } = await machine.run("--token", "vda_token");
  expect(code).toBe(1);
  expect(output).toMatch(/Install Node 20 or newer first|Nothing was installed/);
  expect(machine.files()).toEqual([]);
  expect(machine.commands()).toBe("");
});

it.skipIf(!isLinux)("keeps options and state when it is run again, and brings the new agent", async () => {
  const machine = createMachine();
  await machine.run("--enroll", "vde_token");
  mkdirSync(machine.at("root/var/lib/vedette-agent"), { recursive: true });
  writeFileSync(machine.at("root/var/lib/vedette-agent/identity.json"), "who it is");
  machine.serve("vedette-agent.mjs", "newer");
  expect(await machine.run()).toMatchObject({ code: 0 });
  expect(machine.read("opt/vedette-agent/vedette-agent.mjs")).toBe("newer");
  expect(machine.read("var/lib/vedette-agent/identity.json")).toBe("who it is");
  expect(machine.read(CONFIG)).toContain("enroll = vde_token\n");
  expect(machine.commands().match(/useradd/g)).toHaveLength(1);
});

it.skipIf(!isLinux)(
  "enrolls a machine anew whose token the server refuses, also with the same enrollment token",
  async () => {
    const machine = createMachine();
    await machine.run("--enroll", "vde_token");
    const state = machine.at("root/var/lib/vedette-agent");
    mkdirSync(join(state, "queue"), { recursive: true });
    const identity = join(state, "identity.json");
    const note = (isRefused: boolean) =>
      writeFileSync(identity, JSON.stringify({ instance: "i", token: "vda_own", isRefused }));
    note(false);
    expect(await machine.run("--enroll", "vde_token")).toMatchObject({ code: 0 });
    expect(existsSync(identity)).toBe(true);
    note(true);
    expect(await machine.run()).toMatchObject({ code: 0 });
    expect(existsSync(identity)).toBe(true);
    expect(await machine.run("--enroll", "vde_token")).toMatchObject({ code: 0 });
    expect([existsSync(identity), existsSync(join(state, "queue"))]).toEqual([false, true]);
    expect(machine.commands()).toMatch(/systemctl restart vedette-agent.service\n$/);
  },
);

it.skipIf(!isLinux).each([0.2, 0.5, 0.75, 0.9, 0.99, 0.999])(
  "does nothing where only %d of it arrives",
  async (share) => {
    const machine = createMachine();
    await machine.runFirst(share, "--enroll", "vde_token");
    expect(machine.files()).toEqual([]);
    expect(machine.commands()).toBe("");
  },
);

it.skipIf(!isLinux)("leaves nothing behind when it is uninstalled", async () => {
  const machine = createMachine();
  await machine.run("--enroll", "vde_token");
  mkdirSync(machine.at("root/var/lib/vedette-agent/queue"), { recursive: true });
  writeFileSync(machine.at("root/var/lib/vedette-agent/identity.json"), "who it is");
  expect(await machine.run("--uninstall")).toMatchObject({ code: 0 });
  expect(machine.files()).toEqual([]);
  expect(existsSync(machine.at("root/opt/vedette-agent"))).toBe(false);
  expect(existsSync(machine.at("root/var/lib/vedette-agent"))).toBe(false);
  expect(machine.commands()).toMatch(
    /systemctl disable --now vedette-agent.service\nsystemctl daemon-reload\nuserdel vedette-agent\n$/,
  );
});

it.skipIf(!isLinux).each([
  [[], "say which device this is"],
  [["--enrol", "x"], "there is no option --enrol"],
  [["--token"], "--token needs a token"],
])("installs nothing for %j, and says why", async (args, message) => {
  const machine = createMachine();
  const { code, output } = await machine.run(...args);
  expect({ code, output }).toEqual({ code: 1, output: expect.stringContaining(message) });
  expect(machine.files()).toEqual([]);
});
