// SPDX-License-Identifier: Apache-2.0
#pragma once

/// What the candidate of the tests does when it is called; the last argument of its entry.
enum class Mode {
    Scale, ///< y = 2 x
    ScaleTwice, ///< with a second stream, events and memory of its own: y = 4 x
    ScaleByVariable, ///< y = 3 x, the factor in a __device__ variable
    Together, ///< y = 5 x, by a cooperative grid that meets before it writes
    CopyThroughHost, ///< y = x, through memory of the host
    Raise,
    LoopForEver,
    Exit,
    Abort,
    TouchDevice,
    TouchNothing,
    Forge, ///< lines of the protocol on stdout, and garbage in every descriptor
    CopyTooMuch,
    MissingEntryPoint, ///< calls a driver function that is not there
    TooMuchShared,
    AllowedShared,
    LaunchForEver,
    UseFreed,
    WrongBlock, ///< 2048 threads
    AllocateTooMuch,
    LoadLibrary, ///< loads a library that it must not use, and does the work itself
    Fork, ///< leaves a process behind that holds its pipes
};
