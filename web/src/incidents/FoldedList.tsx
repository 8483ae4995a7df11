import { type ReactNode, useState } from "react";

interface FoldedListProps<Item> {
  items: readonly Item[];
  /** How many stand there before the rest is unfolded; one more than that is not folded. */
  shown: number;
  /** What the button says that unfolds the rest. */
  more: (count: number) => string;
  /** Of the row that has the button. */
  className?: string;
  children: (item: Item) => ReactNode;
}

/** The items of a list, of a long one the first, and a button that brings the others. */
export function FoldedList<Item>({ items, shown, more, className, children }: FoldedListProps<Item>) {
  const [isOpen, setOpen] = useState(false);
  const isFolded = !isOpen && items.length > shown + 1;
  return (
    <>
      {(isFolded ? items.slice(0, shown) : items).map(children)}
      {isFolded && (
        <li className={className}>
          <button
            type="button"
            onClick={() => setOpen(true)}
            className="rounded-sm text-ink-muted underline underline-offset-4 hover:text-ink"
          >
            {more(items.length - shown)}
          </button>
        </li>
      )}
    </>
  );
}
