import { draggable, dropTargetForElements } from "@atlaskit/pragmatic-drag-and-drop/element/adapter";
import { type RefObject, useEffect, useRef, useState } from "react";

/** What is dragged: a component onto lists of them, or a group among groups. */
interface Dragged {
  of: "component" | "group";
  key: string;
}

/** On which half of something it would be dropped. */
export type Edge = "top" | "bottom";

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
