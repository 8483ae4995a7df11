import { draggable, dropTargetForElements } from "@atlaskit/pragmatic-drag-and-drop/element/adapter";
import { GripVertical } from "lucide-react";
import { type KeyboardEvent, type Ref, type RefObject, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";

interface MoveHandleProps {
  ref: Ref<HTMLButtonElement>;
  /** The key of what it moves. */
  of: string;
  name: string;
  /** The id of the sentence that says which keys it knows. */
  hint: string;
  onMove: (key: string, by: 1 | -1) => void;
}

const steps: Readonly<Record<string, 1 | -1>> = { ArrowUp: -1, ArrowDown: 1 };

/** What something is dragged by; with the arrow keys it moves by one place. */
export function MoveHandle({ ref, of: key, name, hint, onMove }: MoveHandleProps) {
  const { t } = useTranslation("status-pages/editor");
  const onKeyDown = (event: KeyboardEvent) => {
    const by = steps[event.key];
    if (by === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    onMove(key, by);
  };
  const label = t("move", { name });
  return (
    <button
      ref={ref}
      type="button"
      data-handle={key}
      aria-label={label}
      aria-describedby={hint}
      title={label}
      onKeyDown={onKeyDown}
      className="grid h-9 w-7 shrink-0 cursor-grab touch-manipulation place-items-center rounded-sm text-ink-faint hover:bg-hover hover:text-ink active:cursor-grabbing"
    >
      <GripVertical aria-hidden className="size-4" />
    </button>
  );
}

/** Where what is dragged would be dropped. */
export function DropLine({ edge }: { edge: Edge | null }) {
  if (edge === null) return null;
  return (
    <div
      aria-hidden
      className={`pointer-events-none absolute inset-x-2 z-10 h-0.5 rounded-full bg-focus ${edge === "top" ? "-top-px" : "-bottom-px"}`}
    />
  );
}

/** What is dragged: a component onto lists of them, or a group among groups. */
interface Dragged {
  of: "component" | "group";
  key: string;
}

/** On which half of something it would be dropped. */
type Edge = "top" | "bottom";

/** Has an element be dragged by its handle; whether it is at the moment. */
export function useDraggable(
  element: RefObject<HTMLElement | null>,
  handle: RefObject<HTMLElement | null>,
  { of, key }: Dragged,
): boolean {
  const [isDragged, setDragged] = useState(false);
  useEffect(() => {
    if (!element.current || !handle.current) return;
    return draggable({
      element: element.current,
      dragHandle: handle.current,
      getInitialData: () => ({ of, key }),
      onDragStart: () => setDragged(true),
      onDrop: () => setDragged(false),
    });
  }, [element, handle, of, key]);
  return isDragged;
}

interface DropPlace {
  of: Dragged["of"];
  /** The upper half is another place than the lower one. */
  halves?: boolean;
  onDrop: (key: string, half: Edge) => void;
}

/** Has things be dropped on an element; where on it one would be at the moment, null: nowhere. */
export function useDropPlace(element: RefObject<HTMLElement | null>, place: DropPlace): Edge | null {
  const [edge, setEdge] = useState<Edge | null>(null);
  const current = useRef(place);
  useEffect(() => {
    current.current = place;
  });
  const { of, halves = false } = place;
  useEffect(() => {
    if (!element.current) return;
    return dropTargetForElements({
      element: element.current,
      canDrop: ({ source }) => source.data["of"] === of,
      getData: ({ input, element: over }) => {
        const { top, height } = over.getBoundingClientRect();
        return { half: halves && input.clientY < top + height / 2 ? "top" : "bottom" };
      },
      // A row lies on its list: the innermost place counts.
      onDrag: ({ self, location }) =>
        setEdge(location.current.dropTargets[0]?.element === self.element ? halfOf(self.data) : null),
      onDragLeave: () => setEdge(null),
      onDrop: ({ self, source, location }) => {
        setEdge(null);
        if (location.current.dropTargets[0]?.element !== self.element) return;
        const { key } = source.data;
        if (typeof key === "string") current.current.onDrop(key, halfOf(self.data));
      },
    });
  }, [element, of, halves]);
  return edge;
}

const halfOf = (data: Record<string | symbol, unknown>): Edge => (data["half"] === "top" ? "top" : "bottom");
