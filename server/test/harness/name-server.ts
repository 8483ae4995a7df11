import { missingServers, startDaemon } from "./daemons.ts";

/** What is missing for `startNameServer`, such as `named`; null: nothing. */
export const noNameServer = missingServers("named");

/** BIND on 127.0.0.1, which has these zones, as master files, and refuses everything else. Gives its port. */
export async function startNameServer(zones: Readonly<Record<string, string>>): Promise<number> {
  const { ports } = await startDaemon({
    program: "named",
    files: ({ folder, ports: [port] }) => ({
      ...zones,
      "named.conf": `
        options {
          directory "${folder}";
          pid-file none;
          session-keyfile none;
          lock-file none;
          listen-on port ${port} { 127.0.0.1; };
          listen-on-v6 { none; };
          recursion no;
          dnssec-validation no;
          notify no;
        };
        controls { };
        ${Object.keys(zones)
          .map((zone) => `zone "${zone}" { type primary; file "${zone}"; };`)
          .join("\n")}`,
    }),
    args: ({ folder }) => ["-g", "-n", "1", "-c", `${folder}/named.conf`],
  });
  return ports[0] ?? 0;
}
