import type { Point, Rendering, RenderShape } from "@reins/core";

/** Renderings as one animated, looping SVG; a single one is static. */
export function svgFilm(frames: readonly Rendering[], fps: number): string {
  const width = Math.max(...frames.map((f) => f.width));
  const height = Math.max(...frames.map((f) => f.height));
  const seconds = at(frames.length / fps);
  const groups = frames.map((frame, i) => {
    const shapes = frame.shapes.map(element).join("");
    if (frames.length === 1) return shapes;
    // Each frame is visible until the next one.
    const [from, to] = [i / frames.length, (i + 1) / frames.length].map((share) => share.toFixed(6));
    const [values, times] =
      i === 0 ? ["visible;hidden", `0;${to}`] : ["hidden;visible;hidden", `0;${from};${to}`];
    const turn = i === frames.length - 1 && i > 0 ? ["hidden;visible", `0;${from}`] : [values, times];
    return `<g visibility="${i ? "hidden" : "visible"}"><animate attributeName="visibility" calcMode="discrete" values="${turn[0]}" keyTimes="${turn[1]}" dur="${seconds}s" repeatCount="indefinite"/>${shapes}</g>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">
<style>text{font-family:ui-monospace,Menlo,Consolas,monospace}polyline{fill:none;stroke-linecap:round;stroke-linejoin:round}</style>
<rect width="${width}" height="${height}" fill="${frames[0].background ?? "#ffffff"}"/>
${groups.join("\n")}
</svg>
`;
}

function element(shape: RenderShape): string {
  switch (shape.kind) {
    case "circle":
      return `<circle cx="${at(shape.center[0])}" cy="${at(shape.center[1])}" r="${at(shape.radius)}" fill="${shape.color}"/>`;
    case "line":
      return `<polyline points="${points(shape.points)}" stroke="${shape.color}" stroke-width="${at(shape.width)}"/>`;
    case "polygon":
      return `<polygon points="${points(shape.points)}" fill="${shape.color}"/>`;
    case "text":
      // Capitals are about 0.7 of the font size.
      return `<text x="${at(shape.at[0])}" y="${at(shape.at[1])}" font-size="${at(shape.size / 0.7)}" fill="${shape.color}">${escape(shape.text)}</text>`;
  }
}

const at = (x: number) => String(Math.round(x * 100) / 100);
const points = (all: readonly Point[]) => all.map(([x, y]) => `${at(x)},${at(y)}`).join(" ");
const escape = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
