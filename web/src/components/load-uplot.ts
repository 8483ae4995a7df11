/**
 * Loads uPlot in a chunk of its own, once. While it loads, `navigator.language` is pinned: uPlot makes a
 * number format of it at once, which throws where the browser's locale is no language tag, as with LANG=C.
 */
export function loadUplot() {
  loading ??= load();
  return loading;
}

let loading: ReturnType<typeof load> | undefined;

async function load() {
  Object.defineProperty(navigator, "language", { value: "en-US", configurable: true });
  try {
    const [module] = await Promise.all([import("uplot"), import("uplot/dist/uPlot.min.css")]);
    return module.default;
  } catch (error) {
    loading = undefined;
    throw error;
  } finally {
    Reflect.deleteProperty(navigator, "language");
  }
}
