// A judge of JSON: is this text one object on one line, in well-formed UTF-8?
#pragma once

#include <string>

bool isJsonLine(const std::string& text);
