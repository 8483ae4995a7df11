import { describe, expect, test } from "vitest";
import type { Line, Series } from "../src/api/device-metrics.ts";
import { interfaceRates, metricLines } from "../src/monitors/device/metric-lines.ts";

const begin = Date.UTC(2026, 10, 21, 9);
const minute = 60_000;

/** A line with a value a minute, from the beginning; null where nothing was reported. */
const line = (name: string, ...values: (number | null)[]): Line => ({
  ...{ type: "cpu", name, unit: "percent" },
  points: values.flatMap((value, at) =>
    value === null
      ? []
      : [{ timestamp: new Date(begin + at * minute).toISOString(), value, min: value, max: value }],
  ),
});

const read = (...series: Line[]): Series => ({ from: "", to: "", resolution: "1m", series });
const idsOf = ({ lines }: ReturnType<typeof metricLines>) => lines.map(({ id }) => id);

describe("the lines of a chart", () => {
  test("break where nothing was reported, and say when that was", () => {
    const found = metricLines(read(line("cpu.usage", 1, 2, null, null, null, 6)), "cpu", minute);
    expect(found.times).toEqual([0, 1, 2, 5].map((at) => begin + at * minute));
    expect(found.lines).toEqual([{ id: "cpu", values: [1, 2, null, 6] }]);
    expect(found.gaps).toEqual([{ fromMs: begin + 2 * minute, toMs: begin + 5 * minute }]);
  });

  test("have no gap for a report that came late", () => {
    expect(metricLines(read(line("cpu.usage", 1, null, 3)), "cpu", minute).gaps).toEqual([]);
  });

  test("are one for each disk, the fullest first, whatever else disks measure", () => {
    const disks = ["/", "/var", "/home", "/srv", "/opt", "/mnt"].map((path, at) =>
      line(`disk.${path}.usage`, 99, 10 * at),
    );
    const found = metricLines(read(line("disk./.used", 5), ...disks), "disk", minute);
    expect(idsOf(found)).toEqual(["/mnt", "/opt", "/srv", "/home", "/var"]);
  });

  test("add up the interfaces of a network, without what a machine says to itself", () => {
    const found = metricLines(
      read(
        line("network.eth0.rx", 1, 2),
        line("network.eth0.tx", 5, 6),
        line("network.eth1.rx", 10, 20),
        line("network.lo.rx", 900, 900),
        line("network.eth0.errors", 7, 7),
      ),
      "network",
      minute,
    );
    expect(found.lines).toEqual([
      { id: "rx", values: [11, 22] },
      { id: "tx", values: [5, 6] },
    ]);
  });

  test("are of the whole machine where its agent says that, whatever its bridges carry again", () => {
    const series = read(
      line("network.rx", null, 2),
      line("network.eth0.rx", 1, 2),
      line("network.eth0.tx", 3, 4),
      line("network.br0.rx", 10, 20),
      line("network.old0.rx", 5, null),
    );
    expect(metricLines(series, "network", minute).lines).toEqual([
      { id: "rx", values: [16, 2] },
      { id: "tx", values: [3, 4] },
    ]);
    expect(interfaceRates(series)).toEqual([
      { name: "br0", rx: 20, tx: null },
      { name: "eth0", rx: 2, tx: 4 },
    ]);
  });

  test("are none where there is nothing of them", () => {
    expect(metricLines(read(), "network", minute)).toEqual({ times: [], lines: [], gaps: [] });
  });
});
