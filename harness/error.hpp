#pragma once

#include "backends/error.hpp"
