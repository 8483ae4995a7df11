import { Outlet } from "@tanstack/react-router";
import { ToastRegion } from "../components/Toast.tsx";
import { CommandPalette } from "./palette/CommandPalette.tsx";

export function RootPage() {
  return (
    <>
      <Outlet />
      <CommandPalette />
      <ToastRegion />
    </>
  );
}
