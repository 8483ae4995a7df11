import { Outlet } from "@tanstack/react-router";
import { ToastRegion } from "../components/Toast.tsx";
import { CommandPalette } from "./palette/CommandPalette.tsx";

/** What surrounds every page. */
export function RootPage() {
  return (
    <>
      <Outlet />
      <CommandPalette />
      <ToastRegion />
    </>
  );
}
