#pragma once

#include "backends/memory/available.hpp"
