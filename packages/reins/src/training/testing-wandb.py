"""Reads a run of Weights & Biases by W&B's own messages and prints its records as lines of JSON."""
import json, struct, sys, zlib
from google.protobuf.json_format import MessageToDict
from wandb.proto import wandb_internal_pb2 as pb

data = open(sys.argv[1], "rb").read()
assert struct.unpack("<4sHB", data[:7]) == (b":W&B", 0xBEE1, 0)
at, record = 7, b""
while at < len(data):
    room = 32768 - at % 32768
    if room < 7:
        at += room
        continue
    crc, length, kind = struct.unpack("<IHB", data[at : at + 7])
    piece = data[at + 7 : at + 7 + length]
    assert zlib.crc32(bytes([kind]) + piece) == crc
    assert length <= room - 7
    at += 7 + length
    record += piece
    if kind in (1, 4):
        found = pb.Record()
        found.ParseFromString(record)
        print(json.dumps(MessageToDict(found, preserving_proto_field_name=True)))
        record = b""
