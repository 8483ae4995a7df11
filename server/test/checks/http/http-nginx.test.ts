import { once } from "node:events";
import net, { type AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { testCa } from "../../harness/certificates.ts";
import { missingServers, startDaemon } from "../../harness/daemons.ts";
import { check } from "../factories.ts";

/** Accepts connections and says nothing, or hangs up at once. */
async function startSilent(hangsUp = false): Promise<number> {
  const open = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    open.add(socket.on("error", () => {}));
    if (hangsUp) socket.destroy();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** A site of nginx, in the clear and over HTTP/2 with TLS: `locations` beside a page and one that requires a login. */
async function startNginx(names = ["localhost"], locations: readonly string[] = []) {
  const { cert, key } = await (await testCa()).issue("valid", names);
  const { ports } = await startDaemon({
    program: "nginx",
    ports: 2,
    files: ({ folder, ports: [clear, secured] }) => ({
      "cert.pem": cert,
      "key.pem": key,
      // "open-sesame", in the form that says it in the clear.
      passwords: "watch:{PLAIN}open-sesame\n",
      "nginx.conf": `
        daemon off; master_process off; pid ${folder}/pid; error_log stderr;
        events {}
        http {
          access_log off; client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy;
          fastcgi_temp_path ${folder}/f; uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
          gzip on; gzip_min_length 1; gzip_types text/plain;
          server {
            listen 127.0.0.1:${clear}; listen 127.0.0.1:${secured} ssl http2;
            ssl_certificate ${folder}/cert.pem; ssl_certificate_key ${folder}/key.pem;
            location = / { default_type text/plain; return 200 "the lamp is lit"; }
            location = /old { return 301 /; }
            location = /busy { return 503; }
            location = /staff { auth_basic staff; auth_basic_user_file ${folder}/passwords; try_files /cert.pem =404; root ${folder}; }
            ${locations.join("\n")}
          }
        }`,
    }),
    args: ({ folder }) => ["-p", folder, "-c", `${folder}/nginx.conf`, "-e", "stderr"],
  });
  const [clear = 0, secured = 0] = ports;
  return { clear: `http://127.0.0.1:${clear}`, secured: `https://localhost:${secured}` };
}

const missing = missingServers("nginx");
const up = { verdict: "ok", reason: null, statusCode: 200 };
const keyword = { type: "keyword", operator: "present", value: "lamp is lit" } as const;

describe.skipIf(missing)(`a check of a real web server (${missing ?? "nginx"})`, () => {
  test("passes in the clear, over TLS, over a redirect, and reads what is compressed", async () => {
    const { clear, secured } = await startNginx();
    expect(await check({ url: clear, assertions: [keyword] })).toMatchObject({ ...up, certificate: null });
    expect(await check({ url: `${secured}/old`, assertions: [keyword] })).toMatchObject({
      ...up,
      certificate: { valid: true },
    });
    expect(await check(`${clear}/busy`)).toMatchObject({ verdict: "failed", statusCode: 503 });
  });

  test("reports a wrong login and a wrong certificate", async () => {
    const { clear, secured } = await startNginx(["elsewhere.test"]);
    const login = (password: string) =>
      check({
        url: `${clear}/staff`,
        authType: "basic",
        authConfig: { username: "watch", password },
      });
    expect(await login("open-sesame")).toMatchObject(up);
    expect(await login("open-sesamy")).toMatchObject({ verdict: "failed", statusCode: 401 });
    expect(await check(secured)).toMatchObject({
      reasonCode: "certificate",
      reason: "The certificate is for elsewhere.test, not for localhost.",
    });
  });

  test("distinguishes a backend that hangs or hangs up from one that refuses", async () => {
    const [silent, gone] = [await startSilent(), await startSilent(true)];
    const { clear } = await startNginx(undefined, [
      `location = /hangs { proxy_pass http://127.0.0.1:${silent}; }`,
      `location = /gone { proxy_pass http://127.0.0.1:${gone}; }`,
      "location = /early { return 444; }",
    ]);
    expect(await check(`${clear}/hangs`, { timeoutMs: 300 })).toMatchObject({ reasonCode: "timeout" });
    expect(await check(`${clear}/gone`)).toMatchObject({ verdict: "failed", statusCode: 502 });
    expect(await check(`${clear}/early`)).toMatchObject({ verdict: "failed", statusCode: null });
    expect(await check("http://127.0.0.1:1/")).toMatchObject({ reasonCode: "refused" });
  });
});
