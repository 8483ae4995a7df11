import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { containerSockets } from "./containers.ts";

/** How to run: the command line comes before the environment, that before the file. Only to report is a server needed. */
export type Options = Settings &
  (
    | { command: "run"; server: URL }
    | { command: Exclude<Word, "run"> | "help" | "version"; server: URL | null }
  );

interface Settings {
  /** The device's own. */
  token: string | null;
  /** The organization's, which is traded for one of the device's own. */
  enroll: string | null;
  /** Folder of what the agent keeps. */
  data: string;
  /** PEM file of an authority that has signed the server's certificate and that this machine does not know. */
  ca: string | null;
  exitOnRevoke: boolean;
  /** Where Docker or Podman may listen. */
  sockets: readonly string[];
}

/** The last two are for the agent itself, which starts a process of its own with them. */
const WORDS = ["run", "once", "applications", "machine"] as const;
type Word = (typeof WORDS)[number];

/** What is wrong with the options, in a sentence for the person who typed them. */
export class OptionError extends Error {}

const NAMES = ["server", "token", "enroll", "data", "ca", "exit-on-revoke"] as const;
type Name = (typeof NAMES)[number];
type Values = Partial<Record<Name, string>>;

export const HELP = `vedette-agent reports what this machine is doing to a Vedette server.

  vedette-agent --server URL --token TOKEN     report as the device that has this token
  vedette-agent --server URL --enroll TOKEN    become a new device of the organization, then report
  vedette-agent once                           print one report as JSON and exit

Options; each can also be a line NAME = VALUE of a file, or a variable VEDETTE_AGENT_NAME of the environment:
  --config FILE       read options from this file (VEDETTE_AGENT_CONFIG)
  --server URL        the server's address, such as https://status.example.com
  --token TOKEN       the device's token (vda_…)
  --enroll TOKEN      an enrollment token of the organization (vde_…)
  --data DIR          the folder for the agent's identity and unsent reports
  --ca FILE           a certificate authority to trust, in PEM format
  --exit-on-revoke    exit with code 3 when the server refuses the token
  --version, --help

On the command line, other users can see a token in the list of processes. In a file or in the environment they cannot.
`;

/** Reads the options. Throws `OptionError` for an unknown option, a missing one, or an invalid address. */
export function readOptions(args: readonly string[], env: NodeJS.ProcessEnv): Options {
  const { values, command } = fromCommandLine(args);
  const file = values.config ?? env["VEDETTE_AGENT_CONFIG"];
  const given: Values = {
    ...(file !== undefined && fromFile(file)),
    ...fromEnvironment(env),
    ...values.named,
  };
  const settings: Settings = {
    token: given.token || null,
    enroll: given.enroll || null,
    data: given.data ?? defaultFolder(env),
    ca: given.ca || null,
    exitOnRevoke: isOn(given["exit-on-revoke"]),
    sockets: containerSockets(env),
  };
  const server = given.server === undefined ? null : serverAddress(given.server);
  if (command !== "run") return { ...settings, command, server };
  if (server === null) throw new OptionError("Say where the server is: --server https://…");
  return { ...settings, command, server };
}

function fromCommandLine(args: readonly string[]) {
  const text = { type: "string" } as const;
  const flag = { type: "boolean" } as const;
  const options = { config: text, server: text, token: text, enroll: text, data: text, ca: text };
  const flags = { "exit-on-revoke": flag, help: flag, version: flag };
  let parsed: ReturnType<
    typeof parseArgs<{ options: typeof options & typeof flags; allowPositionals: true }>
  >;
  try {
    parsed = parseArgs({ args: [...args], options: { ...options, ...flags }, allowPositionals: true });
  } catch (error) {
    throw new OptionError(`${(error as Error).message.split(". ")[0]}. See --help.`);
  }
  const { values, positionals } = parsed;
  const [word = "run", ...more] = positionals;
  if (more.length > 0 || !isWord(word)) {
    throw new OptionError(`There is no command "${positionals.join(" ")}". See --help.`);
  }
  const { config, help, version, "exit-on-revoke": exits, ...named } = values;
  const own: Values = { ...named, ...(exits && { "exit-on-revoke": "on" }) };
  const command: Options["command"] = help ? "help" : version ? "version" : word;
  return { values: { config, named: own }, command };
}

/** Lines `name = value`; `#` begins a comment. */
function fromFile(path: string): Values {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw new OptionError(`The file of options ${path} cannot be read: ${(error as Error).message}`);
  }
  const values: Values = {};
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    if (/^\s*(?:#|$)/.test(line)) continue;
    const [, name = "", value = ""] = /^\s*([\w-]+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (!isName(name))
      throw new OptionError(`${path}, line ${at + 1}: there is no option "${name || line.trim()}".`);
    values[name] = value;
  }
  return values;
}

function fromEnvironment(env: NodeJS.ProcessEnv): Values {
  const values: Values = {};
  for (const name of NAMES) {
    const value = env[`VEDETTE_AGENT_${name.toUpperCase().replaceAll("-", "_")}`];
    if (value !== undefined && value !== "") values[name] = value;
  }
  return values;
}

const isWord = (word: string): word is Word => (WORDS as readonly string[]).includes(word);
const isName = (name: string): name is Name => (NAMES as readonly string[]).includes(name);
const isOn = (value: string | undefined) => value !== undefined && !/^(?:0|off|no|false|)$/i.test(value);

/** Throws `OptionError` for what is no http or https address. */
function serverAddress(text: string): URL {
  let url: URL;
  try {
    url = new URL(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`);
  } catch {
    throw new OptionError(`"${text}" is no address of a server. It looks like https://status.example.com.`);
  }
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    throw new OptionError(
      `The server's address begins with https:// or http://, not with ${url.protocol}//.`,
    );
  }
  if (!url.pathname.endsWith("/")) url.pathname += "/";
  return url;
}

/** systemd gives a service its own; otherwise below the user's home. */
const defaultFolder = (env: NodeJS.ProcessEnv) =>
  env["STATE_DIRECTORY"]?.split(":")[0] || join(homedir(), ".vedette-agent");
