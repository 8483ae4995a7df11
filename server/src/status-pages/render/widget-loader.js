// Puts a status page's widget after the script element that loads this, and reads it anew every minute. What that element may
// say: data-theme (auto, light, dark), data-lang (en, de, zh; else the language of the document) and data-title.
(() => {
  const script = document.currentScript;
  if (!script) return;
  const { theme, lang = document.documentElement.lang, title = "Status" } = script.dataset;
  const address = new URL("widget", script.src);
  address.search = "";
  if (theme) address.searchParams.set("theme", theme);
  if (lang) address.searchParams.set("lang", lang.slice(0, 2).toLowerCase());
  const frame = document.createElement("iframe");
  frame.src = address.href;
  frame.title = title;
  Object.assign(frame.style, {
    border: "0",
    borderRadius: "8px",
    width: "100%",
    maxWidth: "360px",
    height: "64px",
    colorScheme: "normal",
  });
  script.after(frame);
  setInterval(() => {
    // It is not reloaded under a visitor who uses it, and adds nothing to the history.
    if (!document.hidden && document.activeElement !== frame)
      frame.contentWindow.location.replace(address.href);
  }, 60_000);
})();
