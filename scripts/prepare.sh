# Shared by ./run and ./test: what the machine must have. Sourced, not run.
# Says what it does, installs what is missing, and leaves alone what is there.

say() { printf '\033[1m▸ %s\033[0m\n' "$*"; }
fail() {
  printf '✗ %s\n' "$*" >&2
  exit 1
}

# at_least WANTED FOUND: whether a dotted version is at least as new as the wanted one
at_least() { [ "$(printf '%s\n%s\n' "$1" "$2" | sort -V | head -n1)" = "$1" ]; }

need_rust() {
  command -v cargo >/dev/null && command -v rustc >/dev/null ||
    fail "Rust is not installed. Install 1.90 or newer as https://www.rust-lang.org/tools/install says, then run this again."
  local found
  found=$(rustc --version | cut -d' ' -f2 | cut -d- -f1)
  at_least 1.90.0 "$found" ||
    fail "Rust $found is too old; 1.90 or newer is needed. 'rustup update stable' brings it."
}

need_node() {
  command -v node >/dev/null ||
    fail "Node.js is not installed. Install 20.19 or newer as https://nodejs.org/en/download says, then run this again."
  local found
  found=$(node --version | tr -d v)
  at_least 20.19.0 "$found" ||
    fail "Node.js $found is too old; 20.19 or newer is needed. See https://nodejs.org/en/download."
}

# need_packages NAME…: Debian packages, installed where missing
need_packages() {
  local missing=() name
  for name in "$@"; do
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$name" 2>/dev/null)" = installed ] || missing+=("$name")
  done
  [ ${#missing[@]} -eq 0 ] && return
  command -v apt-get >/dev/null ||
    fail "These packages are missing and there is no apt-get to install them: ${missing[*]}. Install them by hand, then run this again."
  say "Installing system packages: ${missing[*]}"
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || fail "Run this as root or install sudo: these packages are missing: ${missing[*]}."
    as_root=(sudo)
  fi
  "${as_root[@]}" apt-get -o DPkg::Lock::Timeout=600 update -qq
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=600 \
    install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

# need_npm_packages FOLDER: what its lock file names, installed where that has changed
need_npm_packages() {
  local lock
  lock=$(sha256sum "$1/package-lock.json" | cut -d' ' -f1)
  [ "$(cat "$1/node_modules/.installed" 2>/dev/null)" = "$lock" ] && return
  say "Installing the front end's packages"
  (cd "$1" && npm ci --no-audit --no-fund --loglevel=error)
  printf '%s' "$lock" >"$1/node_modules/.installed"
}

# What building needs, and what playing a video file as a camera needs.
BUILD_PACKAGES=(build-essential pkg-config cmake nasm libvpx-dev libclang-dev
  libwebkit2gtk-4.1-dev librsvg2-dev libayatana-appindicator3-dev libxdo-dev libssl-dev)
RUN_PACKAGES=(ffmpeg)
TEST_PACKAGES=(python3 python3-venv
  xvfb xauth x11-utils x11-xserver-utils openbox dbus webkit2gtk-driver xdotool zenity xclip fonts-dejavu-core
  rpm appstream desktop-file-utils)

# Where the build goes: beside the sources, or, on a build machine, where the next checkout finds it.
if [ "${CI:-}" = true ] && [ -z "${CARGO_TARGET_DIR:-}" ]; then
  export CARGO_TARGET_DIR="${XDG_CACHE_HOME:-$HOME/.cache}/alidade/target"
fi
if [ "${CI:-}" = true ]; then
  # A build that is thrown away or cut off profits nothing from it.
  export CARGO_INCREMENTAL=0
fi
TARGET="${CARGO_TARGET_DIR:-$PWD/target}"
