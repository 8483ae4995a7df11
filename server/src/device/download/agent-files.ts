import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";

/** The agent's own folder; `npm run build -w agent` makes the program in it. */
export const AGENT_FOLDER = join(import.meta.dirname, "../../../../agent");

export interface AgentProgram {
  content: Buffer;
  /** SHA-256 in hexadecimal. */
  digest: string;
}

/** Reads the built agent, again when it was built anew. The function it answers resolves to null where none is built. */
export function keepAgentProgram(folder: string) {
  const file = join(folder, "dist/vedette-agent.mjs");
  let cached: { program: AgentProgram; builtAt: number } | null = null;
  return async (): Promise<AgentProgram | null> => {
    const found = await stat(file).catch(() => null);
    if (!found) return null;
    if (cached?.builtAt !== found.mtimeMs) {
      const content = await readFile(file);
      const digest = createHash("sha256").update(content).digest("hex");
      cached = { program: { content, digest }, builtAt: found.mtimeMs };
    }
    return cached.program;
  };
}

/** The script that installs the agent, for a server at that address. */
export async function installScript(folder: string, address: string): Promise<string> {
  const template = await readFile(join(folder, "install.sh"), "utf8");
  // What is an address may hold what a shell would run: `http://a$(id).example` is one.
  return template.replace('"@SERVER@"', () => quoted(address)).replaceAll("@SERVER@", "SERVER");
}

/** One word of a shell, whatever it holds. */
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
