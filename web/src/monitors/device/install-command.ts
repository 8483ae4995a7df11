import { apiPaths } from "../../paths.ts";

/** What is pasted on a machine: as the device whose token it is, or, with an enrollment token, as a new one. */
export const installCommand = (option: "token" | "enroll", token: string): string =>
  `curl -fsSL ${window.location.origin}${apiPaths.installScript} | sudo sh -s -- --${option} ${token}`;
