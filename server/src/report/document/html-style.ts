/** The look of a printed report: dark on white, in whatever theme, on A4 and letter. */
export const STYLE = `
@page { margin: 16mm 14mm }
* { box-sizing: border-box; margin: 0 }
html { color-scheme: light; background: #fff; color: #1c2230; font: 13px/1.45 Inter, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Noto Sans SC", "PingFang SC", "Microsoft YaHei", sans-serif; font-variant-numeric: tabular-nums; -webkit-print-color-adjust: exact; print-color-adjust: exact }
main { max-width: 820px; margin: 0 auto; padding: 32px 24px }
header { border-top: 4px solid #3f5fd0; padding-top: 16px; margin-bottom: 20px }
h1 { font-size: 24px; line-height: 1.2; margin: 2px 0 6px; overflow-wrap: anywhere }
h2 { font-size: 15px; margin: 26px 0 8px; break-after: avoid }
.whose { font-weight: 600; color: #3f5fd0; overflow-wrap: anywhere }
.then, dt, .figures dd:last-child, .axis, .ends, .legend, .note, footer { color: #5b6475; font-size: 11px }
.figures { display: grid; grid-template-columns: repeat(auto-fill, minmax(120px, 1fr)); gap: 1px; background: #dfe3ea; border: 1px solid #dfe3ea; border-radius: 6px; overflow: hidden }
.figures div { background: #fff; padding: 10px 12px; break-inside: avoid }
.value { font-size: 17px; font-weight: 600; white-space: nowrap }
.chart { break-inside: avoid }
.plot { display: flex; gap: 8px; height: 120px }
.axis { display: flex; flex-direction: column; justify-content: space-between; text-align: right; min-width: 56px }
svg { flex: 1; min-width: 0; width: 100%; height: 120px; border-bottom: 1px solid #c4cad6; border-top: 1px dashed #e4e8ee }
.ends { display: flex; justify-content: space-between; padding-left: 64px }
.legend { display: flex; gap: 16px; padding: 6px 0 0 64px; list-style: none }
.legend i { display: inline-block; width: 8px; height: 8px; border-radius: 50%; margin-right: 6px }
table { width: 100%; border-collapse: collapse; font-size: 12px }
th { font-size: 11px; font-weight: 500; color: #5b6475; border-bottom: 1px solid #c4cad6; padding: 4px 6px; vertical-align: bottom }
td { border-bottom: 1px solid #eceff4; padding: 5px 6px; vertical-align: top }
tr { break-inside: avoid }
.start { text-align: left; overflow-wrap: anywhere }
td.start:not(:first-child), th.start:not(:first-child) { white-space: nowrap }
.end { text-align: right; white-space: nowrap }
th.end { white-space: normal }
.note { padding-top: 6px }
footer { margin-top: 28px; border-top: 1px solid #dfe3ea; padding-top: 10px }
@media print { .by-4 { grid-template-columns: repeat(4, 1fr) } .by-3 { grid-template-columns: repeat(3, 1fr) } }
@media (max-width: 560px) { main { padding: 20px 14px } section { overflow-x: auto } }
`;
