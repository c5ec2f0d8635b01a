import { Center } from "@mantine/core"
import { encode } from "uqr"

/** A QR code. It is dark on white in both colour schemes, because cameras read it so. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: 2 })
  const squares = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return (
    <Center>
      <svg viewBox={`0 0 ${size} ${size}`} width={200} height={200} role="img" aria-label={label}>
        <rect width={size} height={size} fill="#fff" />
        <path d={squares.join("")} fill="#000" shapeRendering="crispEdges" />
      </svg>
    </Center>
  )
}
