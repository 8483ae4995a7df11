import { createServer } from "node:http";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { containerSockets, readContainers } from "../src/containers.ts";
import { emptyFolder } from "./harness/program.ts";

/** A socket at which something answers. */
async function socketOf(answer: string, status = 200): Promise<string> {
  const path = join(emptyFolder(), "docker.sock");
  const server = createServer(({ url }, response) => {
    response.statusCode = url === "/containers/json?all=true" ? status : 404;
    response.end(answer);
  }).listen(path);
  await new Promise((resolve) => server.once("listening", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return path;
}

it("lists containers that run, and those that have ended", async () => {
  const path = await socketOf(
    JSON.stringify([
      { Id: "a".repeat(64), Names: ["/web"], Image: "nginx:1", State: "running", Status: "Up 2 hours" },
      { Id: "b".repeat(64), Names: [], Image: "job", State: "exited", Status: "Exited (0)" },
    ]),
  );
  expect(await readContainers(["/nowhere/docker.sock", path])).toEqual({
    total: 2,
    items: [
      { id: "a".repeat(12), name: "web", image: "nginx:1", state: "running", status: "Up 2 hours" },
      { id: "b".repeat(12), name: "", image: "job", state: "exited", status: "Exited (0)" },
    ],
  });
});

it.each([
  ["refuses", "{}", 403],
  ["is something else's", "hello", 200],
  ["says no list", "{}", 200],
  ["never ends", "x".repeat(9 * 1024 * 1024), 200],
])("lists none where the socket %s, and queries the next", async (_, answer, status) => {
  const path = await socketOf(answer, status);
  expect(await readContainers([path])).toBeNull();
  expect(await readContainers([path, await socketOf("[]")])).toEqual({ total: 0, items: [] });
});

it("looks where the user's own Docker or Podman listens", () => {
  const sockets = containerSockets({
    DOCKER_HOST: "unix:///run/own.sock",
    XDG_RUNTIME_DIR: "/run/user/1000",
  });
  expect(sockets[0]).toBe("/run/own.sock");
  expect(sockets).toContain("/run/user/1000/podman/podman.sock");
  expect(containerSockets({ DOCKER_HOST: "tcp://elsewhere:2375" })).toEqual([
    "/var/run/docker.sock",
    "/run/podman/podman.sock",
  ]);
});
