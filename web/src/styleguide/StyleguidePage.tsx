import { BareHeader } from "../components/BareHeader.tsx";
import { Card } from "../components/Card.tsx";
import { usePageTitle } from "../components/PageBar.tsx";
import { Contrasts } from "./Contrasts.tsx";
import { Controls } from "./Controls.tsx";
import { Part } from "./Exhibit.tsx";
import { Feedback } from "./Feedback.tsx";
import { Figures } from "./Figures.tsx";
import { Forms } from "./Forms.tsx";
import { Measures, TypeScale } from "./Measures.tsx";
import { colourIn, hexOf, readTokens, type Theme } from "./tokens.ts";

/**
 * Everything that pages are made of, drawn by the components themselves out of the style sheet's own tokens.
 * For people who build the app, so its words are English, as the code's are.
 */
export function StyleguidePage() {
  usePageTitle("Styleguide");
  return (
    <div lang="en">
      <BareHeader />
      <main className="mx-auto max-w-6xl px-4 pt-8 pb-24 sm:px-6">
        <h1 className="text-xl font-semibold">Styleguide</h1>
        <p className="mt-0.5 mb-8 max-w-2xl text-pretty text-ink-muted">
          Calm, dense, exact: somebody reads these pages at three in the morning. What is wrong comes first
          and in words; nothing blinks, nothing moves by itself, and every figure says its unit.
        </p>
        <Colours />
        <Contrasts />
        <Measures />
        <TypeScale />
        <Controls />
        <Forms />
        <Feedback />
        <Figures />
      </main>
    </div>
  );
}

const prefix = "--color-";
const themes: readonly Theme[] = ["light", "dark"];
const schemes: Record<Theme, string> = { light: "scheme-light", dark: "scheme-dark" };

/** Every colour of the style sheet, as either theme paints it. */
function Colours() {
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
