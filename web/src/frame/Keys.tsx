const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

/** The keys of a shortcut as the reader's keyboard has them: "Ctrl K", "⌘ K", "G D". */
export function Keys({ keys }: { keys: string }) {
  return (
    <span aria-hidden className="flex shrink-0 gap-1">
      {keys.split(/[ +]/).map((key) => (
        <kbd
          key={key}
          className="grid h-5 min-w-5 place-items-center rounded-sm border border-line bg-page px-1 font-sans text-xs text-ink-faint"
        >
          {nameOf(key)}
        </kbd>
      ))}
    </span>
  );
}

function nameOf(key: string): string {
  if (key === "Mod") return isMac ? "⌘" : "Ctrl";
  return key.length === 1 ? key.toUpperCase() : key;
}
