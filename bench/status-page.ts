/** The page that the benches of visitors ask for, and what their browsers say. */
import type { RunningServer } from "./process.ts";

export const COMPONENTS = 50;
export const PATH = "/status/bench";

/** What a browser sends along, cookies aside: visitors have none. */
export const BROWSER = {
  Connection: "keep-alive",
  "Sec-CH-UA": '"Chromium";v="142", "Not_A Brand";v="99"',
  "Sec-CH-UA-Mobile": "?0",
  "Sec-CH-UA-Platform": '"Linux"',
  "Upgrade-Insecure-Requests": "1",
  "User-Agent":
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36",
  Accept: "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8",
  "Sec-Fetch-Site": "none",
  "Sec-Fetch-Mode": "navigate",
  "Sec-Fetch-User": "?1",
  "Sec-Fetch-Dest": "document",
  "Accept-Encoding": "gzip, deflate, br, zstd",
  "Accept-Language": "en-US,en;q=0.9",
};

/** A page of the first 50 monitors, with all figures, under an incident of the first of them. */
export async function makePage({ url }: RunningServer, token: string): Promise<void> {
  const post = async (path: string, body: object): Promise<{ id: number }> => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const answer = await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return ((await answer.json()) as { data: { id: number } }).data;
  };
  const page = await post("/api/status-pages", { name: "Bench", slug: "bench" });
  for (let n = 1; n <= COMPONENTS; n++) {
    const shown = { displayName: `Component ${n}`, showsResponseTimes: true };
    await post(`/api/status-pages/${page.id}/domains`, { domainId: n, ...shown });
  }
  const incident = {
    title: "It does not answer",
    severity: "high",
    impact: "major",
    // As seedMonitors names them.
    affectedServices: ["Domain 1"],
  };
  const { id } = await post("/api/incidents", incident);
  await post(`/api/incidents/${id}/updates`, { message: "We are looking into it.", status: "investigating" });
}
