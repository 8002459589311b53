"""Evaluates expressions with libxml2: oracle.py DIRECTORY.

Reads DIRECTORY/N.xml and DIRECTORY/N.paths for N from 0, and DIRECTORY/expressions, one a line.
Prints one line for each page and expression, then one for each page and path: nodes as their
numbers in document order, attributes as the number of their element and their name.
"""

import os
import sys

from lxml import etree

PREFIXES = {
    "svg": "http://www.w3.org/2000/svg",
    "math": "http://www.w3.org/1998/Math/MathML",
    "xlink": "http://www.w3.org/1999/xlink",
}


def numbered(tree):
    """The places of all nodes; lxml keeps texts with the elements before them."""
    places = {}

    def walk(node):
        places[node, "self"] = len(places) + 1
        if node.tag is not etree.Comment:
            if node.text:
                places[node, "text"] = len(places) + 1
            for child in node:
                walk(child)
                if child.tail:
                    places[child, "tail"] = len(places) + 1

    root = tree.getroot()
    for node in [*reversed(list(root.itersiblings(preceding=True))), root, *root.itersiblings()]:
        walk(node)
    return places


def shown_node(node, places):
    if not isinstance(node, str):
        return str(places[node, "self"])
    parent = node.getparent()
    if node.is_attribute:
        return f"{places[parent, 'self']}@{node.attrname}"
    return str(places[parent, "tail" if node.is_tail else "text"])


def shown(value, places):
    if isinstance(value, bool):
        return f"truth {str(value).lower()}"
    if isinstance(value, float):
        return f"number {value!r}"
    if isinstance(value, list):
        return " ".join(["nodes", *(shown_node(node, places) for node in value)])
    return "text " + value.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r")


def answer(tree, source, places):
    try:
        return shown(tree.xpath(source, namespaces=PREFIXES), places)
    except etree.XPathError as error:
        return f"error {error}"


def lines(path):
    with open(path, encoding="utf-8") as file:
        return file.read().splitlines()


def main(directory):
    sys.setrecursionlimit(10_000)
    sys.stdout.reconfigure(encoding="utf-8", newline="\n")
    expressions = lines(os.path.join(directory, "expressions"))
    page = 0
    while os.path.exists(os.path.join(directory, f"{page}.xml")):
        tree = etree.parse(os.path.join(directory, f"{page}.xml"))
        places = numbered(tree)
        for source in [*expressions, *lines(os.path.join(directory, f"{page}.paths"))]:
            print(answer(tree, source, places))
        page += 1


main(sys.argv[1])
