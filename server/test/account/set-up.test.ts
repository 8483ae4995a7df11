import { expect, onTestFinished, test } from "vitest";
import { createServer } from "../../src/http/server.ts";
import { startTestServer } from "../harness/server.ts";
import { eachEngine, openTestStore } from "../harness/stores.ts";
import { PASSWORD } from "./browser.ts";

/** The API over an installation that nobody has set up. */
async function startEmpty(engine: "sqlite" | "postgres") {
  const other = await startTestServer({ engine });
  const store = await openTestStore(engine);
  const app = await createServer({ ...other.ctx, store });
  await app.listen({ host: "127.0.0.1", port: 0 });
  onTestFinished(async () => {
    await app.close();
    await store.close();
    await other.close();
  });
  const { port } = app.server.address() as { port: number };
  const url = `http://127.0.0.1:${port}`;
  return { url, store };
}

const post = (url: string, body: object, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });

eachEngine("set-up", (engine) => {
  test("the first visitor becomes the owner and is signed in; of many at once, one", async () => {
    const { url, store } = await startEmpty(engine);
    const state = async () =>
      ((await (await fetch(`${url}/api/auth/state`)).json()) as { data: object }).data;
    expect(await state()).toEqual({ setupRequired: true, signupOpen: false });
    const attempts = await Promise.all(
      Array.from({ length: 5 }, (_, n) =>
        post(`${url}/api/auth/setup`, {
          email: `a${n}@vedette.test`,
          password: PASSWORD,
          organization: "Ada & Co",
        }),
      ),
    );
    expect(attempts.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
    expect(await state()).toEqual({ setupRequired: false, signupOpen: false });
    expect(await store.db.selectFrom("users").select("id").execute()).toHaveLength(1);
    const cookie = attempts
      .find(({ status }) => status === 201)
      ?.headers.get("set-cookie")
      ?.split(";")[0] as string;
    const me = (await (await fetch(`${url}/api/auth/me`, { headers: { cookie } })).json()) as { data: never };
    expect(me.data).toMatchObject({
      organization: { name: "Ada & Co", slug: "ada-co", role: "owner", plan: "expert", reports: true },
      scopes: ["*:*"],
    });
  });

  test("names every bad field, and leaves the installation as it was", async () => {
    const { url, store } = await startEmpty(engine);
    const answer = await post(`${url}/api/auth/setup`, { email: "nobody", password: "short" });
    expect([answer.status, await answer.json()]).toEqual([
      422,
      {
        success: false,
        message: "The given data was invalid.",
        errors: {
          email: ["The email field must be a valid e-mail address."],
          password: ["The password field must be at least 8 characters."],
        },
      },
    ]);
    expect(await store.db.selectFrom("users").select("id").execute()).toHaveLength(0);
  });
});
