// Runs before the first paint, so that a chosen theme never flashes the other one (src/theme.ts writes the choice).
try {
  const theme = localStorage.getItem("vedette.theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Storage is blocked: the system's preference decides.
}
