#!/usr/bin/python3
"""Mounts a folder in memory with the rules of Mountpoint for S3, for tests: it speaks the protocol of /dev/fuse.

    object_mount.py FOLDER [--allow-delete] [--allow-overwrite]

A file is written once, from its first byte to its last, and is there when it is closed. There is no rename and no link,
nothing is opened for reading and writing at once or for appending, nothing is cut but at its opening, and without leave
nothing is deleted or written over. What is refused is a line on standard error. Ends when the folder is unmounted.
"""
import ctypes
import errno
import os
import struct
import sys
import time

LOOKUP, FORGET, GETATTR, SETATTR, MKDIR, UNLINK, RENAME, LINK, OPEN, READ, WRITE = 1, 2, 3, 4, 9, 10, 12, 13, 14, 15, 16
STATFS, RELEASE, FSYNC, FLUSH, INIT, OPENDIR, READDIR, RELEASEDIR, CREATE = 17, 18, 20, 25, 26, 27, 28, 29, 35
RENAME2, BATCH_FORGET = 45, 42

folder = sys.argv[1]
allow_delete, allow_overwrite = "--allow-delete" in sys.argv, "--allow-overwrite" in sys.argv
device = os.open("/dev/fuse", os.O_RDWR)
libc = ctypes.CDLL(None, use_errno=True)
options = f"fd={device},rootmode=40000,user_id={os.getuid()},group_id={os.getgid()}"
if libc.mount(b"object-store", folder.encode(), b"fuse", 0, options.encode()) != 0:
    sys.exit(f"{folder}: cannot mount: {os.strerror(ctypes.get_errno())}")

nodes = {1: {"entries": {}}}  # a folder has entries, a file bytes; `parts`: what is written and not closed yet
serial = 1


def refuse(number, why):
    print(why, file=sys.stderr, flush=True)
    raise OSError(number, why)


def attributes(number):
    node = nodes[number]
    size = len(node.get("bytes", b"")) if "parts" not in node else len(node["parts"])
    now = node.setdefault("time", int(time.time()))
    mode = 0o40755 if "entries" in node else 0o100644
    return struct.pack("<QQQQQQIIIIIIIIII", number, size, 0, now, now, now, 0, 0, 0, mode, 1, os.getuid(), os.getgid(), 0, 4096, 0)


def entry(number):
    return struct.pack("<QQQQII", number, 0, 0, 0, 0, 0) + attributes(number)


def make(parent, name, node):
    global serial
    serial += 1
    nodes[serial] = node
    nodes[parent]["entries"][name] = serial
    return serial


def begin(number, flags):
    node = nodes[number]
    if flags & os.O_ACCMODE == os.O_RDONLY:
        return
    if flags & os.O_ACCMODE == os.O_RDWR or flags & os.O_APPEND:
        refuse(errno.EINVAL, "refused: open to read and write, or to append")
    if "bytes" in node and not (allow_overwrite and flags & os.O_TRUNC):
        refuse(errno.EPERM, "refused: open to write over")
    node["parts"] = bytearray()


def answer(code, number, body):
    if code == INIT:
        return struct.pack("<IIIIHHIIHHI28x", 7, 31, 65536, 1 << 3, 16, 16, 1 << 17, 1, 0, 0, 0)  # atomic O_TRUNC
    if code == LOOKUP:
        found = nodes[number]["entries"].get(body[:-1])
        return entry(found) if found else errno.ENOENT
    if code in (GETATTR, SETATTR):
        if code == SETATTR and struct.unpack_from("<I", body)[0] & 8:
            refuse(errno.EPERM, "refused: truncate")
        return struct.pack("<QII", 0, 0, 0) + attributes(number)
    if code == MKDIR:
        return entry(make(number, body[8:-1], {"entries": {}}))
    if code == UNLINK:
        if not allow_delete:
            refuse(errno.EPERM, "refused: unlink " + body[:-1].decode())
        del nodes[number]["entries"][body[:-1]]
        return b""
    if code in (RENAME, RENAME2, LINK):
        refuse(errno.ENOSYS, "refused: rename or link")
    if code == CREATE:
        flags = struct.unpack_from("<I", body)[0]
        if flags & os.O_ACCMODE != os.O_WRONLY or flags & os.O_APPEND:
            refuse(errno.EINVAL, "refused: open to read and write, or to append")
        made = make(number, body[16:-1], {"parts": bytearray()})
        return entry(made) + struct.pack("<QII", 0, 1, 0)
    if code == OPEN:
        begin(number, struct.unpack_from("<I", body)[0])
        return struct.pack("<QII", 0, 1, 0)
    if code == READ:
        offset, size = struct.unpack_from("<QI", body, 8)
        if "bytes" not in nodes[number]:
            refuse(errno.EPERM, "refused: read of what is not closed")
        return nodes[number]["bytes"][offset : offset + size]
    if code == WRITE:
        offset, size = struct.unpack_from("<QI", body, 8)
        if offset != len(nodes[number]["parts"]):
            refuse(errno.EINVAL, "refused: write out of order")
        nodes[number]["parts"] += body[-size:]
        return struct.pack("<II", size, 0)
    if code in (RELEASE, FLUSH):
        if "parts" in nodes[number]:
            nodes[number]["bytes"] = bytes(nodes[number]["parts"])
            if code == RELEASE:
                del nodes[number]["parts"]
        return b""
    if code == OPENDIR:
        return struct.pack("<QII", 0, 0, 0)
    if code == READDIR:
        text = b""
        for at, (name, child) in enumerate(nodes[number]["entries"].items()):
            if at >= struct.unpack_from("<Q", body, 8)[0]:
                kind = 4 if "entries" in nodes[child] else 8
                text += struct.pack("<QQII", child, at + 1, len(name), kind) + name + b"\0" * (-len(name) % 8)
        return text
    if code == STATFS:
        return struct.pack("<QQQQQIIII24x", 0, 0, 0, 0, 0, 4096, 255, 4096, 0)
    return b"" if code == RELEASEDIR else errno.ENOSYS


while True:
    try:
        request = os.read(device, 1 << 18)
    except OSError as error:
        if error.errno == errno.ENODEV:  # unmounted
            break
        continue
    length, code, unique, number = struct.unpack_from("<IIQQ", request)
    if code in (FORGET, BATCH_FORGET):
        continue
    try:
        reply = answer(code, number, request[40:])
    except OSError as error:
        reply = error.errno
    failed = isinstance(reply, int)
    os.write(device, struct.pack("<IiQ", 16 + (0 if failed else len(reply)), -reply if failed else 0, unique) + (b"" if failed else reply))
