import pg from "pg";
import ssh2 from "ssh2";

/** Logs in to a PostgreSQL on loopback by its usual driver, and takes its leave. */
export async function logInToPostgres(port: number): Promise<void> {
  const client = new pg.Client({ host: "127.0.0.1", port, user: "watch", database: "shop", ssl: false });
  await client.connect();
  await client.end();
}

/** Exchanges keys with an SSH server on loopback by its usual driver, and hangs up. */
export const exchangeKeys = (port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const client = new ssh2.Client().on("error", reject);
    client.on("handshake", () => {
      client.destroy();
      resolve();
    });
    client.connect({ host: "127.0.0.1", port, username: "bench" });
  });
