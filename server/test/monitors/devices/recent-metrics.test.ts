import { expect, it } from "vitest";
import { eachEngine } from "../../harness/stores.ts";
import { metrics, SECOND, serverWithDevices } from "./device-setup.ts";

eachEngine("recent metrics of devices", (engine) => {
  it("is an hour in steps of two minutes for those that are named, and for no others", async () => {
    const { api, addDevice, clock } = await serverWithDevices(engine);
    const device = await addDevice();
    await addDevice({ name: "web-2" });
    await device.agent.report({ metrics: metrics({ "cpu.usage": 20 }) });
    clock.ms += 120 * SECOND;
    await device.agent.report({ metrics: metrics({ "cpu.usage": 30 }) });
    const { body } = await api("GET", `/api/devices/sparklines?ids=${device.id},999999`);
    expect(body.data).toHaveLength(1);
    const [{ id, points }] = body.data;
    expect(id).toBe(device.id);
    expect(points).toHaveLength(30);
    expect(points.slice(-2)).toMatchObject([
      { cpuUsage: 20, memoryUsage: 41 },
      { cpuUsage: 30, memoryUsage: 41 },
    ]);
    expect(points[0]).toMatchObject({ cpuUsage: null, memoryUsage: null });
  });

  it("says when a device was online and silent, and counts it as down and not as new", async () => {
    const { api, addDevice, clock, look } = await serverWithDevices(engine);
    const device = await addDevice();
    await addDevice({ name: "web-2" });
    await device.agent.report();
    clock.ms += 31 * SECOND;
    await look();
    const history = await api("GET", `/api/devices/${device.id}/monitoring/status-history`);
    expect(history.body.data.map(({ state }: { state: string }) => state)).toEqual(["down", "up"]);
    const stats = await api("GET", "/api/devices/stats");
    expect(stats.body.data).toMatchObject({ total: 2, online: 0, offline: 2, down: 1, unknown: 1 });
    const dashboard = await api("GET", "/api/dashboard/stats");
    expect(dashboard.body.data.devices).toEqual({ total: 2, online: 0, offline: 2, down: 1 });
  });
});
