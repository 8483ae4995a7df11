import { existsSync } from "node:fs";
import { plainHttp } from "./node-http.ts";
import type { Container, Snapshot } from "./report.ts";

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 8 * 1024 * 1024;

/** Where Docker and Podman may listen; `DOCKER_HOST` and rootless Podman have places of their own. */
export function containerSockets(env: NodeJS.ProcessEnv): string[] {
  const own = env["DOCKER_HOST"]?.startsWith("unix://") ? [env["DOCKER_HOST"].slice("unix://".length)] : [];
  const rootless = env["XDG_RUNTIME_DIR"] ? [`${env["XDG_RUNTIME_DIR"]}/podman/podman.sock`] : [];
  return [...own, "/var/run/docker.sock", "/run/podman/podman.sock", ...rootless];
}

interface Listed {
  Id?: string;
  Names?: string[];
  Image?: string;
  State?: string;
  Status?: string;
}

/** The machine's containers, running or not; null where there is no socket that this user may read (Docker Engine API, ContainerList). */
export async function readContainers(sockets: readonly string[]): Promise<Snapshot<Container> | null> {
  for (const path of sockets) {
    if (!existsSync(path)) continue;
    const listed = await listContainers(path).catch(() => null);
    if (!Array.isArray(listed)) continue;
    return { total: listed.length, items: listed.map(containerOf) };
  }
  return null;
}

const containerOf = ({ Id = "", Names = [], Image = "", State = "", Status = "" }: Listed): Container => ({
  ...{ id: Id.slice(0, 12), name: (Names[0] ?? "").replace(/^\//, "") },
  ...{ image: Image, state: State, status: Status },
});

function listContainers(socketPath: string): Promise<Listed[]> {
  return new Promise((resolve, reject) => {
    const request = plainHttp().request(
      { socketPath, path: "/containers/json?all=true", headers: { host: "docker" } },
      (answer) => {
        const chunks: Buffer[] = [];
        let size = 0;
        answer.on("data", (chunk: Buffer) => {
          size += chunk.length;
          if (size > MAX_BYTES) request.destroy(new Error("The list of containers is too long"));
          chunks.push(chunk);
        });
        answer.on("end", () => {
          try {
            if (answer.statusCode !== 200) throw new Error(`Status ${answer.statusCode}`);
            resolve(JSON.parse(Buffer.concat(chunks).toString()) as Listed[]);
          } catch (error) {
            reject(error);
          }
        });
      },
    );
    request.setTimeout(TIMEOUT_MS, () => request.destroy(new Error("No answer")));
    request.on("error", reject);
    request.end();
  });
}
