"""A program of others, python-chess, talks to our engine: options, every kind of limit, several lines, pondering, a
whole game."""

import asyncio
import sys

import chess
import chess.engine


async def main(command):
    _, engine = await chess.engine.popen_uci(command)
    await engine.configure(
        {name: option.default for name, option in engine.options.items()
         if not option.is_managed() and option.type != "button"}
    )
    board = chess.Board()
    limits = [
        chess.engine.Limit(depth=6),
        chess.engine.Limit(nodes=5000),
        chess.engine.Limit(time=0.05),
        chess.engine.Limit(white_clock=1, black_clock=1, white_inc=0.01, black_inc=0.01),
        chess.engine.Limit(white_clock=1, black_clock=1, remaining_moves=5),
        chess.engine.Limit(mate=2, depth=4),
    ]
    for limit in limits:
        result = await engine.play(board, limit, info=chess.engine.INFO_ALL)
        assert result.move in board.legal_moves and result.info["depth"] > 0, limit
        print(limit, "plays", result.move)
    lines = await engine.analyse(board, chess.engine.Limit(depth=6), multipv=3)
    assert len({line["pv"][0] for line in lines}) == 3
    root = [chess.Move.from_uci("a2a3"), chess.Move.from_uci("h2h3")]
    assert (await engine.play(board, chess.engine.Limit(depth=4), root_moves=root)).move in root
    with await engine.analysis(board) as analysis:
        async for info in analysis:
            if info.get("depth", 0) >= 8:
                break
    await engine.configure({"Threads": 2, "Hash": 32})
    pondered = 0
    while not board.is_game_over(claim_draw=True) and board.ply() < 120:
        result = await engine.play(board, chess.engine.Limit(time=0.02), ponder=True, game="one")
        pondered += result.ponder is not None
        board.push(result.move)
    print("a game of", board.ply(), "plies:", board.result(claim_draw=True), "moves to ponder on:", pondered)
    assert pondered >= 0.9 * board.ply()
    await engine.quit()


asyncio.run(main(sys.argv[1:]))
