#!/usr/bin/env python3
"""Lets an engine that speaks the protocol of XBoard (CECP) be used wherever one that speaks UCI is.

    splitpoint match modern "uci:scripts/uci-from-xboard.py phalanx -b -" --b-depth 6

Arguments are the command of the engine. The protocol knows no limit of nodes: such a search is told to move when it
prints a line with as many. An engine that does not know the limit of depth either is told so when it prints a line that
is deeper.
"""

import queue
import re
import subprocess
import sys
import threading
import time

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
# Depth, score in hundredths, time in hundredths of a second, nodes, and the line.
THINKING = re.compile(r"\s*(\d+)[.&+-]?\s+([+-]?\d+)\s+(\d+)\s+(\d+)\s")
SECONDS_FOR_FEATURES = 2.0
SECONDS_FOR_PONG = 10.0
# Castling in words, which some engines use for their own moves: files from which and to which the king goes.
CASTLING = {"O-O": ("e", "g"), "O-O-O": ("e", "c"), "0-0": ("e", "g"), "0-0-0": ("e", "c")}
# A clock that does not end a search by itself.
ENDLESS = ["level 0 600 0", "time 3600000", "otim 3600000"]


def send(stream, line):
    """Writes a line; who has ended hears nothing."""
    try:
        stream.write(line + "\n")
        stream.flush()
    except (BrokenPipeError, ValueError):
        pass


def say(line):
    send(sys.stdout, line)


class Engine:
    """The engine, and the position in which it is."""

    def __init__(self, command, inbox):
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            errors="replace"
        )
        self.features = {}
        self.inbox = inbox
        self.pings = 0
        # Position before the moves, and the moves; none if it is not known.
        self.at = None
        # Whether the last search had a limit of depth, which lasts until another game.
        self.has_depth = False
        threading.Thread(target=listen, args=(self.process.stdout, "engine", inbox), daemon=True).start()

    def tell(self, line):
        send(self.process.stdin, line)

    def hello(self):
        """Asks for the features of the engine; one that tells none is of the first version of the protocol."""
        self.tell("xboard")
        self.tell("protover 2")
        until = time.monotonic() + SECONDS_FOR_FEATURES
        for line in self.lines(until):
            if line.startswith("feature"):
                for name, value in re.findall(r'(\w+)=("[^"]*"|\S+)', line):
                    self.features[name] = value.strip('"')
                if self.features.get("done") == "0":
                    until = time.monotonic() + 60
                if self.features.get("done") == "1":
                    break
        for line in ["new", "easy", "post", "force"]:
            self.tell(line)

    def lines(self, until):
        """Lines of the engine until a moment; commands that come meanwhile are put back."""
        later = []
        while (left := until - time.monotonic()) > 0:
            try:
                source, line = self.inbox.get(timeout=left)
            except queue.Empty:
                break
            if source == "engine":
                if line is None:
                    sys.exit("the engine has ended")
                yield line
            else:
                later.append((source, line))
        for item in later:
            self.inbox.put(item)

    def wait(self):
        """Waits until the engine has carried out what it was told, if it can say so."""
        if self.features.get("ping") != "1":
            return
        self.pings += 1
        self.tell(f"ping {self.pings}")
        for line in self.lines(time.monotonic() + SECONDS_FOR_PONG):
            if line.strip() == f"pong {self.pings}":
                break

    def set_up(self, start, moves):
        """Brings the engine to a position, by the new moves alone where that is enough."""
        self.tell("force")
        known = self.at is not None and self.at[0] == start and moves[: len(self.at[1])] == self.at[1]
        if not known:
            for line in ["new", "force", *ENDLESS, "post", "easy"]:
                self.tell(line)
            if start != START:
                self.put(start)
        word = "usermove " if self.features.get("usermove") == "1" else ""
        for move in moves[len(self.at[1]) if known else 0 :]:
            self.tell(word + move)
        self.at = (start, moves)


    def put(self, fen):
        """Puts a position on the board; an engine of the first version of the protocol takes the pieces one by one, and
        castles where king and rook stand at home."""
        if self.features.get("setboard", "0") == "1":
            self.tell(f"setboard {fen}")
            return
        placement, turn = fen.split()[:2]
        # The word for the side to move is not understood everywhere, a move is.
        if turn == "b":
            self.tell(("usermove " if self.features.get("usermove") == "1" else "") + "a2a3")
        placed = {True: [], False: []}
        for rank, row in zip("87654321", placement.split("/")):
            file = 0
            for letter in row:
                if letter.isdigit():
                    file += int(letter)
                else:
                    placed[letter.isupper()].append(letter.upper() + "abcdefgh"[file] + rank)
                    file += 1
        for line in ["edit", "#", *placed[True], "c", *placed[False], "."]:
            self.tell(line)


class Limits:
    """What ends a search."""

    def __init__(self, words):
        self.values = {}
        names = ["depth", "nodes", "movetime", "wtime", "btime", "winc", "binc", "movestogo"]
        for name, value in zip(words, words[1:]):
            if name in names and re.fullmatch(r"-?\d+", value):
                self.values[name] = max(int(value), 1 if name == "movetime" else 0)
        movetime = self.values.get("movetime")
        self.until = None if movetime is None else time.monotonic() + movetime / 1000

    def commands(self, white):
        """What the engine is told before it searches."""
        if "depth" in self.values:
            # Phalanx knows the second only.
            return [*ENDLESS, f"sd {self.values['depth']}", f"depth {self.values['depth']}"]
        mine, theirs = ("w", "b") if white else ("b", "w")
        clock = self.values.get(mine + "time")
        if clock is None:
            return ENDLESS
        minutes, seconds = divmod(clock // 1000, 60)
        increment = self.values.get(mine + "inc", 0) / 1000
        level = f"level {self.values.get('movestogo', 0)} {minutes}:{seconds:02} {increment:g}"
        return [level, f"time {clock // 10}", f"otim {self.values.get(theirs + 'time', clock) // 10}"]

    def are_reached(self, depth, nodes):
        return depth > self.values.get("depth", depth) or nodes >= self.values.get("nodes", nodes + 1)


class Adapter:
    """Commands of UCI in, those of XBoard out, and back."""

    def __init__(self, command):
        self.inbox = queue.Queue()
        self.engine = Engine(command, self.inbox)
        self.engine.hello()
        self.position = (START, [])
        # Limits of the search that goes on.
        self.limits = None
        # Size of the table in MiB, once it has been set.
        self.memory = None
        threading.Thread(target=listen, args=(sys.stdin, "user", self.inbox), daemon=True).start()

    def run(self):
        while True:
            left = None
            if self.limits and self.limits.until:
                left = max(self.limits.until - time.monotonic(), 0)
            try:
                source, line = self.inbox.get(timeout=left)
            except queue.Empty:
                self.move_now()
                continue
            if source == "engine":
                if line is None:
                    sys.exit("the engine has ended")
                self.heard(line)
            elif line is None or line.split()[:1] == ["quit"]:
                self.engine.tell("quit")
                return
            else:
                self.obey(line.split())

    def white_moves(self):
        start, moves = self.position
        return (start.split()[1:2] != ["b"]) == (len(moves) % 2 == 0)

    def move_now(self):
        self.limits.until = None
        self.engine.tell("?")

    def heard(self, line):
        if not self.limits:
            return
        if thought := THINKING.match(line):
            depth, score, hundredths, nodes = (int(number) for number in thought.groups())
            say(f"info depth {depth} score cp {score} time {10 * hundredths} nodes {nodes}")
            if self.limits.are_reached(depth, nodes) and not self.limits.values.get("told"):
                self.limits.values["told"] = 1
                self.move_now()
        elif words := re.match(r"move (\S+)", line):
            self.ended(words[1])
        elif re.match(r"resign|(1-0|0-1|1/2-1/2) ", line):
            # It takes the game to be over.
            self.engine.at = None
            self.limits = None
            say("bestmove 0000")

    def ended(self, move):
        self.limits = None
        if files := CASTLING.get(move.rstrip("+#").upper()):
            rank = "1" if self.white_moves() else "8"
            move = "".join(file + rank for file in files)
        self.engine.at[1].append(move)
        say(f"bestmove {move}")

    def obey(self, words):
        if not words:
            return
        match words[0]:
            case "uci":
                features = self.engine.features
                say(f"id name {features.get('myname', 'engine that speaks the protocol of XBoard')}")
                if features.get("memory") == "1":
                    say("option name Hash type spin default 16 min 1 max 65536")
                if features.get("smp") == "1":
                    say("option name Threads type spin default 1 min 1 max 1024")
                say("uciok")
            case "isready":
                if not self.limits:
                    self.engine.wait()
                say("readyok")
            case "setoption" if len(words) >= 5:
                command = {"hash": "memory", "threads": "cores"}.get(words[2].lower())
                if command:
                    self.engine.tell(f"{command} {words[4]}")
                if command == "memory":
                    self.memory = words[4]
            case "ucinewgame" if not self.limits:
                self.engine.at = None
                # Some engines keep their table through "new", but not when it gets another size.
                if self.memory:
                    self.engine.tell("memory 1")
                    self.engine.tell(f"memory {self.memory}")
            case "position" if len(words) >= 2 and not self.limits:
                moves = words.index("moves") if "moves" in words else len(words)
                start = START if words[1] == "startpos" else " ".join(words[2:moves])
                self.position = (start, words[moves + 1 :])
            case "go" if not self.limits:
                start, moves = self.position
                limits = Limits(words)
                if self.engine.has_depth and "depth" not in limits.values:
                    self.engine.at = None
                self.engine.has_depth = "depth" in limits.values
                self.engine.set_up(start, list(moves))
                for line in limits.commands(self.white_moves()):
                    self.engine.tell(line)
                self.engine.tell("go")
                self.limits = limits
            case "stop" if self.limits:
                self.move_now()


def listen(stream, name, inbox):
    """Puts lines into a queue, and nothing at the end."""
    for line in stream:
        inbox.put((name, line.rstrip("\r\n")))
    inbox.put((name, None))


if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1] in ("-h", "--help"):
        print(__doc__.strip())
        sys.exit(0 if len(sys.argv) > 1 else 2)
    try:
        Adapter(sys.argv[1:]).run()
    except OSError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
