// The formats of the report: pure functions of a Report, one file for each. Called by main, and on
// a saved report too.
#pragma once

#include <string>

#include "cli/report.h"

namespace iotrace {

struct TableStyle {
  bool color = false;  // emphasis by escape sequences; nothing is said by colour alone
};

std::string render_table(const Report& report,
                         TableStyle style);         // for a terminal, about 100 columns
std::string render_json(const Report& report);      // "iotrace-report/1"
std::string render_markdown(const Report& report);  // for a CI summary or an issue

}  // namespace iotrace
