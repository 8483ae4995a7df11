import { chmodSync, mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { apkApplications } from "../src/applications/apk.ts";
import { flatpakApplications, snapApplications } from "../src/applications/bundles.ts";
import { dpkgApplications } from "../src/applications/dpkg.ts";
import { parseProfile } from "../src/applications/macos.ts";
import { PackageWatch } from "../src/applications/package-watch.ts";
import { pacmanApplications } from "../src/applications/pacman.ts";
import { rpmApplications } from "../src/applications/rpm.ts";
import { parseRegistry } from "../src/applications/windows.ts";
import { emptyFolder } from "./harness/program.ts";

/** Files of programs that run, as they are without `/usr`. */
const running = new Set(["/sbin/nginx"]);

function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = emptyFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

/** A program of that name which prints what the script does. */
function provide(name: string, script: string): void {
  const folder = folderOf({ [name]: `#!/bin/sh\n${script}\n` });
  chmodSync(join(folder, name), 0o755);
  vi.stubEnv("PATH", `${folder}${delimiter}${process.env["PATH"] ?? ""}`);
  onTestFinished(() => void vi.unstubAllEnvs());
}

it("lists packages of dpkg that are installed, and which of them run", () => {
  const root = folderOf({
    status: [
      "Package: nginx\nStatus: install ok installed\nMaintainer: Ada <ada@example.com>\nInstalled-Size: 10\nVersion: 1.2-3\nDescription: web\n server",
      "Package: gone\nStatus: deinstall ok config-files\nVersion: 1",
      "Package: quiet\nStatus: install ok installed\nVersion: 2\n",
    ].join("\n\n"),
    "info/nginx:amd64.list": "/.\n/usr\n/usr/sbin/nginx\n",
    "info/quiet.list": "/usr/bin/quiet\n",
  });
  const nothing = { publisher: null, installPath: null, size: null };
  expect(dpkgApplications(running, root)).toEqual([
    { name: "nginx", version: "1.2-3", publisher: "Ada", installPath: null, size: 10_240, isRunning: true },
    { name: "quiet", version: "2", ...nothing, isRunning: false },
  ]);
});

it("lists packages of apk", () => {
  const root = folderOf({
    installed: "P:nginx\nV:1.2-r0\nm:Ada <a@b>\nI:500\nF:usr/sbin\nR:nginx\n\nP:musl\nV:1.2.4\n",
  });
  expect(apkApplications(running, join(root, "installed"))).toMatchObject([
    { name: "nginx", version: "1.2-r0", publisher: "Ada", size: 500, isRunning: true },
    { name: "musl", version: "1.2.4", publisher: null, size: null, isRunning: false },
  ]);
});

it("lists packages of pacman", () => {
  const root = folderOf({
    "nginx-1.2-1/desc": "%NAME%\nnginx\n\n%VERSION%\n1.2-1\n\n%PACKAGER%\nAda <a@b>\n\n%SIZE%\n700\n",
    "nginx-1.2-1/files": "%FILES%\nusr/\nusr/sbin/nginx\n",
    ALPM_DB_VERSION: "9\n",
  });
  expect(pacmanApplications(running, root)).toMatchObject([
    { name: "nginx", version: "1.2-1", publisher: "Ada", size: 700, isRunning: true },
  ]);
});

it.skipIf(process.platform === "win32")("lists packages of rpm, by a query", async () => {
  provide(
    "rpm",
    'case "$1" in -qa) printf "nginx\\t1.2-1\\tAda\\t900\\nkernel\\t6-1\\t(none)\\t5\\n";; *) printf "nginx\\n";; esac',
  );
  expect(await rpmApplications(running)).toMatchObject([
    { name: "nginx", version: "1.2-1", publisher: "Ada", size: 900, isRunning: true },
    { name: "kernel", publisher: null, isRunning: false },
  ]);
});

it.skipIf(process.platform === "win32")("lists what flatpak and snap have installed", async () => {
  provide(
    "flatpak",
    'if [ "$1" = ps ]; then echo org.example.App; else printf "org.example.App\\t1.0\\tflathub\\t1.5 MB\\tstable\\n"; fi',
  );
  provide(
    "snap",
    'printf "Name Version Rev Tracking Publisher Notes\\ncore 16 1 latest canonical** core\\n"',
  );
  expect(await flatpakApplications()).toMatchObject([
    { name: "org.example.App", version: "1.0", publisher: "flathub", size: 1_500_000, isRunning: true },
  ]);
  expect(await snapApplications(new Set(["/snap/core/1/bin/app"]))).toMatchObject([
    { name: "core", version: "16", publisher: "canonical", isRunning: true },
  ]);
});

it("says nothing of package managers that this machine does not have", async () => {
  vi.stubEnv("PATH", "/nowhere");
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(await rpmApplications(running)).toEqual([]);
  expect(await flatpakApplications()).toEqual([]);
  expect(await snapApplications(running)).toEqual([]);
  expect(dpkgApplications(running, "/nowhere")).toEqual([]);
});

it("reads what macOS and Windows say of theirs", () => {
  const profile = {
    SPApplicationsDataType: [
      {
        ...{ _name: "Editor", version: "2.0", path: "/Applications/Editor.app" },
        signed_by: ["Developer ID Application: Ada Inc (ABC123)"],
      },
      { _name: "Mail", obtained_from: "apple" },
    ],
  };
  expect(
    parseProfile(JSON.stringify(profile), ["/Applications/Editor.app/Contents/MacOS/Editor"]),
  ).toMatchObject([
    { name: "Editor", version: "2.0", publisher: "Ada Inc", isRunning: true },
    { name: "Mail", publisher: "Apple", isRunning: false },
  ]);
  const key = "HKEY_LOCAL_MACHINE\\Software\\Uninstall";
  const line = (name: string, type: string, value: string) => `    ${name}    ${type}    ${value}`;
  const registry = [
    `${key}\\Editor`,
    line("DisplayName", "REG_SZ", "Editor"),
    line("DisplayVersion", "REG_SZ", "2.0"),
    line("InstallLocation", "REG_SZ", "C:\\Program Files\\Editor\\"),
    line("EstimatedSize", "REG_DWORD", "0x10"),
    `${key}\\KB1`,
    line("DisplayName", "REG_SZ", "Update"),
    line("ParentKeyName", "REG_SZ", "Windows"),
  ].join("\r\n");
  expect(parseRegistry(registry, ["c:\\program files\\editor\\editor.exe"])).toEqual([
    {
      ...{ name: "Editor", version: "2.0", publisher: null, installPath: "C:\\Program Files\\Editor" },
      ...{ size: 16 * 1024, isRunning: true },
    },
  ]);
});

it("notices that packages were changed, once the package manager is done", () => {
  const file = join(emptyFolder(), "status");
  writeFileSync(file, "");
  utimesSync(file, 1, 1);
  const watch = new PackageWatch([file, "/nowhere/at/all"]);
  const looks = (times: number) => Array.from({ length: times }, () => watch.hasChanged());
  expect(looks(3)).toEqual([false, false, false]);
  utimesSync(file, 2, 2);
  expect(looks(1)).toEqual([false]);
  utimesSync(file, 3, 3);
  // It was still being written at the look before.
  expect(looks(2)).toEqual([false, true]);
  watch.note();
  expect(looks(2)).toEqual([false, false]);
});
