const form = document.querySelector("form")
const token = new URLSearchParams(location.hash.slice(1)).get("token")

form.addEventListener("submit", async (event) => {
  event.preventDefault()
  for (const place of form.querySelectorAll(".fault")) place.textContent = ""
  const { name, email, password } = Object.fromEntries(new FormData(form))
  try {
    const response = await fetch("/api/v1/setup", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ token, name, email, password }),
    })
    const { success, error } = await response.json()
    if (!success) return show(error)
    history.replaceState(null, "", "/setup")
    form.hidden = true
    document.querySelector("section").hidden = false
  } catch {
    show({ message: "Kontor does not answer. Is it still running?", details: [] })
  }
})

function show({ message, details }) {
  let placed = 0
  for (const { field, message: fault } of details) {
    const place = form.querySelector(`.fault[data-for="${CSS.escape(field)}"]`)
    if (!place) continue
    place.textContent = `The ${field} ${fault}.`
    placed++
  }
  if (placed === 0) form.querySelector('.fault[data-for=""]').textContent = message
}
