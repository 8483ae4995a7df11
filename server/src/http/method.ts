/** Which methods a path answers to, for 405 and `Allow`. Static segments and `:parameters`, as the routes use. */
export function allowedMethods(routes: readonly { method: string; url: string }[], url: string): string[] {
  const path = (url.split("?")[0] ?? url).split("/");
  const methods = routes.filter((route) => fits(route.url.split("/"), path)).map((route) => route.method);
  if (methods.includes("GET")) methods.push("HEAD");
  return [...new Set(methods)].sort();
}

const fits = (pattern: string[], path: string[]): boolean =>
  pattern.length === path.length &&
  pattern.every((segment, at) => (segment.startsWith(":") ? path[at] !== "" : segment === path[at]));
