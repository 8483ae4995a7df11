import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { ComponentRow } from "./ComponentRow.tsx";
import type { DraftComponent, ListKey } from "./page-draft.ts";
import type { Arranging } from "./use-arranging.ts";
import { useDropPlace } from "./use-dragging.ts";

interface ComponentListProps {
  list: ListKey;
  components: readonly DraftComponent[];
  arranging: Arranging;
}

/** The components of a group, or those without one; what is dropped below them becomes the last. */
export function ComponentList({ list, components, arranging }: ComponentListProps) {
  const { t } = useTranslation("status-pages/editor");
  const place = useRef<HTMLDivElement>(null);
  const edge = useDropPlace(place, {
    of: "component",
    onDrop: (key) => arranging.moveTo(key, { list, at: components.length }),
  });
  return (
    <div ref={place}>
      {components.length === 0 ? (
        <p className={`px-4 py-3.5 text-sm text-ink-faint ${edge ? "rounded-lg bg-hover" : ""}`}>
          {t(list === null ? "contents.noneAlone" : "contents.noneInGroup")}
        </p>
      ) : (
        <ul>
          {components.map((component, at) => (
            <ComponentRow
              key={component.key}
              component={component}
              list={list}
              at={at}
              arranging={arranging}
            />
          ))}
        </ul>
      )}
    </div>
  );
}
