# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Debian 12 and Ubuntu 24.04 packages. `A|B` means the first of these that the distribution has.

build_packages=(
    g++ cmake ninja-build ccache pkg-config ca-certificates python3-venv
    qt6-base-dev 'libqt6opengl6-dev|qt6-base-dev' qt6-tools-dev qt6-tools-dev-tools qt6-l10n-tools
    'qt6-svg-dev|libqt6svg6-dev' 'qt6-charts-dev|libqt6charts6-dev' libqscintilla2-qt6-dev qtkeychain-qt6-dev
    libgl-dev libcurl4-openssl-dev libcmark-dev libsqlite3-dev nlohmann-json3-dev libfmt-dev libcli11-dev
    bubblewrap fonts-dejavu-core
)
# shellcheck disable=SC2034 # packaging/test uses it
test_packages=("${build_packages[@]}" clang-format-14 xvfb xauth file)

is_installed() { [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }
has_candidate() { LC_ALL=C apt-cache policy "$1" 2>/dev/null | grep 'Candidate: [0-9]' > /dev/null; }

# Prints the packages that are still to be installed. With `guess` an unknown name counts as available.
missing_packages() {
    local guess=$1 entry name found
    shift
    for entry in "$@"; do
        found=
        for name in ${entry//|/ }; do
            if is_installed "$name"; then
                found=installed
                break
            elif has_candidate "$name"; then
                found=$name
                break
            fi
        done
        if [ -z "$found" ] && [ "$guess" = guess ]; then found=${entry%%|*}; fi
        case $found in
            installed) ;;
            '') printf '%s\n' "?${entry}" ;;
            *) printf '%s\n' "$found" ;;
        esac
    done | sort -u
}

# Sets as_root to the words that run a command as root; fails where there is no way to.
find_root() {
    as_root=()
    if [ "$(id -u)" -eq 0 ]; then return 0; fi
    command -v sudo > /dev/null || return 1
    if sudo -n true 2> /dev/null || [ -t 0 ]; then
        as_root=(sudo)
        return 0
    fi
    return 1
}

apt_get() { "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -o Dpkg::Use-Pty=0 "$@"; }

# What apt says it would do, in one line: number of packages, download, disk.
apt_plan() {
    LC_ALL=C apt_get install --no-install-recommends --assume-no "$@" 2> /dev/null | awk '
        /newly installed/ { count = $3 }
        /^Need to get/ { sub(/^Need to get /, ""); sub(/ of archives\.$/, ""); get = $0 }
        /^After this operation/ { sub(/^After this operation, /, ""); sub(/ of additional disk space will be used\.$/, ""); disk = $0 }
        END { printf "%s packages, %s to download, %s on disk\n", count, get, disk }'
}

# install_system_packages PACKAGE...
install_system_packages() {
    local missing unknown
    if ! command -v apt-get > /dev/null; then
        heading "System packages"
        note "apt-get is not here: nothing is installed, and CMake names what it misses."
        note "Wanted (Debian's names): $*"
        return 0
    fi
    mapfile -t missing < <(missing_packages guess "$@")
    if [ "${#missing[@]}" -eq 0 ]; then return 0; fi

    if ! find_root; then
        printf '%s\n' "Packages are missing, and this user can neither be root nor use sudo. Have root run:" "" \
            "    apt-get update && apt-get install -y --no-install-recommends ${missing[*]}" "" \
            "then start this script again." >&2
        exit 3
    fi
    step "Reading the package lists" "Check the network and /etc/apt/sources.list, then start again." apt_get update -q
    mapfile -t missing < <(missing_packages known "$@")
    unknown=$(printf '%s\n' "${missing[@]}" | sed -n 's/^?//p' | tr '\n' ' ')
    if [ -n "$unknown" ]; then
        stop 1 "Choosing packages" "this distribution has no package named ${unknown% }" \
            "Debian 12 and Ubuntu 24.04 are supported; on Ubuntu enable 'universe' (add-apt-repository universe)."
    fi
    heading "Going to install with apt: $(apt_plan "${missing[@]}")"
    note "asked for: ${missing[*]}"
    step "Installing system packages" "Run 'dpkg --configure -a' and 'apt-get -f install' as root, then start again." \
        apt_get install -q -y --no-install-recommends "${missing[@]}"
}
