import { type Column, Table, TableFrame } from "../components/Table.tsx";
import { Part } from "./Exhibit.tsx";
import { contrastOf, readTokens, type Theme } from "./tokens.ts";

/** WCAG 2.2: text 1.4.3, what is not text 1.4.11. */
const leastForText = 4.5;
const leastForMarks = 3;
/** What is active has no edge: below this it cannot be seen which line of a menu it is. */
const leastForActive = 1.12;

const themes: readonly Theme[] = ["light", "dark"];
const schemes: Record<Theme, string> = { light: "scheme-light", dark: "scheme-dark" };
const grounds = ["page", "surface", "raised", "hover", "raised-hover", "warn-soft", "down-soft"] as const;

/** Text and the grounds that it is never used on. */
interface Ink {
  name: string;
  never?: readonly string[];
}

const inks: readonly Ink[] = [
  ...["ink", "ink-muted"].map((name) => ({ name })),
  { name: "ink-faint", never: ["raised-hover"] },
  { name: "up-ink", never: ["warn-soft", "down-soft"] },
  { name: "warn-ink" },
  { name: "down-ink", never: ["warn-soft"] },
];
const fills = ["action", "action-hover", "danger", "danger-hover"] as const;

/** How well everything can be read, worked out from the colours as they are painted. */
export function Contrasts() {
  const phases = readTokens("--color-phase-").map((token) => token.slice("--color-".length));
  const marks = ["control", "up", "warn", "down", "idle", "focus", "series", ...phases];
  return (
    <Part
      title="Contrast"
      text={`Light, then dark. Text needs ${leastForText} to 1, marks and lines of charts ${leastForMarks} to 1 (WCAG 2.2); a figure with a line through it falls short.`}
    >
      <div className="grid items-start gap-4 *:min-w-0 lg:grid-cols-2">
        <Ratios
          label="Text"
          className="lg:col-span-2"
          rows={inks}
          on={grounds}
          cell={(ink, ground) => <Samples ink={ink.name} ground={ground} least={leastForText} />}
        />
        <Ratios
          label="Marks"
          rows={marks.map((name) => ({ name }))}
          on={["page", "surface"]}
          cell={(mark, ground) => <Samples ink={mark.name} ground={ground} least={leastForMarks} mark />}
        />
        <Ratios
          label="Buttons"
          rows={fills.map((name) => ({ name }))}
          on={["its text"]}
          cell={({ name }) => <Samples ink={`on-${name.split("-")[0]}`} ground={name} least={leastForText} />}
        />
        <Ratios
          label="Active"
          rows={[{ name: "raised-hover" }]}
          on={["raised"]}
          cell={({ name }, ground) => <Samples ink={name} ground={ground} least={leastForActive} mark />}
        />
      </div>
    </Part>
  );
}

interface RatiosProps {
  label: string;
  className?: string;
  rows: readonly Ink[];
  on: readonly string[];
  cell: (row: Ink, ground: string) => React.ReactNode;
}

function Ratios({ label, className, rows, on, cell }: RatiosProps) {
  const columns: Column<Ink>[] = [
    { id: "name", head: label, cell: ({ name }) => name, names: true },
    ...on.map(
      (ground): Column<Ink> => ({
        id: ground,
        head: on.length > 1 ? `on ${ground}` : ground,
        cell: (row) => (row.never?.includes(ground) ? null : cell(row, ground)),
      }),
    ),
  ];
  return (
    <TableFrame label={label} className={className}>
      <Table columns={columns} rows={rows} keyOf={({ name }) => name} />
    </TableFrame>
  );
}

interface SamplesProps {
  ink: string;
  ground: string;
  least: number;
  /** Shown as a dot beside the figure, which has an ink of its own. */
  mark?: boolean;
}

function Samples({ ink, ground, least, mark = false }: SamplesProps) {
  return (
    <span className="flex gap-1">
      {themes.map((theme) => {
        const ratio = contrastOf(theme, `--color-${ink}`, `--color-${ground}`);
        const enough = ratio >= least;
        return (
          <span
            key={theme}
            data-contrast={enough ? "enough" : `${ink} on ${ground} in ${theme}: ${ratio.toFixed(2)}`}
            className={`${schemes[theme]} flex min-w-12 items-center justify-center gap-1.5 rounded-sm px-1.5 tabular-nums ${enough ? "" : "line-through"}`}
            style={{ background: `var(--color-${ground})`, color: `var(--color-${mark ? "ink" : ink})` }}
          >
            {mark && <span className="size-2 rounded-full" style={{ background: `var(--color-${ink})` }} />}
            {ratio.toFixed(1)}
          </span>
        );
      })}
    </span>
  );
}
