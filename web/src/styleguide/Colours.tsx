import { Card } from "../components/Card.tsx";
import { Part } from "./Exhibit.tsx";
import { colourIn, hexOf, readTokens, type Theme } from "./tokens.ts";

const prefix = "--color-";
const themes: readonly Theme[] = ["light", "dark"];
const schemes: Record<Theme, string> = { light: "scheme-light", dark: "scheme-dark" };

/** Every colour of the style sheet, as either theme paints it. */
export function Colours() {
  return (
    <Part
      title="Colour"
      text="Each name carries a light and a dark value. What means the same has the same colour everywhere: green works, amber is slow or ends soon, red is down, grey is not known."
    >
      <div className="grid gap-4 sm:grid-cols-2">
        {themes.map((theme) => (
          <Card key={theme} className={`${schemes[theme]} min-w-0 p-4`}>
            <h3 className="mb-3 font-medium text-ink">{theme === "light" ? "Light" : "Dark"}</h3>
            <ul className="grid gap-x-4 gap-y-2 lg:grid-cols-2">
              {readTokens(prefix).map((token) => (
                <li key={token} className="flex items-center gap-2.5 text-sm text-ink">
                  <span
                    className="size-6 shrink-0 rounded-sm border border-line"
                    style={{ background: `var(${token})` }}
                  />
                  <span className="min-w-0 flex-1 truncate">{token.slice(prefix.length)}</span>
                  <span className="text-xs text-ink-faint tabular-nums">{hexOf(colourIn(theme, token))}</span>
                </li>
              ))}
            </ul>
          </Card>
        ))}
      </div>
    </Part>
  );
}
