// SPDX-License-Identifier: Apache-2.0
#include "core/gpu/launch_attributes.h"

namespace ptxwb::gpu {

std::vector<cudaLaunchAttribute> launchAttributes(const Launch& plan)
{
    std::vector<cudaLaunchAttribute> attributes;
    if (plan.cluster[0] * plan.cluster[1] * plan.cluster[2] > 1) {
        cudaLaunchAttribute attribute{};
        attribute.id = cudaLaunchAttributeClusterDimension;
        attribute.val.clusterDim.x = plan.cluster[0];
        attribute.val.clusterDim.y = plan.cluster[1];
        attribute.val.clusterDim.z = plan.cluster[2];
        attributes.push_back(attribute);
    }
    if (plan.preferredCluster) {
        cudaLaunchAttribute attribute{};
        attribute.id = cudaLaunchAttributePreferredClusterDimension;
        attribute.val.preferredClusterDim.x = (*plan.preferredCluster)[0];
        attribute.val.preferredClusterDim.y = (*plan.preferredCluster)[1];
        attribute.val.preferredClusterDim.z = (*plan.preferredCluster)[2];
        attributes.push_back(attribute);
    }
    if (plan.cooperative) {
        cudaLaunchAttribute attribute{};
        attribute.id = cudaLaunchAttributeCooperative;
        attribute.val.cooperative = 1;
        attributes.push_back(attribute);
    }
    if (plan.programmaticSerialization) {
        cudaLaunchAttribute attribute{};
        attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
        attribute.val.programmaticStreamSerializationAllowed = 1;
        attributes.push_back(attribute);
    }
    return attributes;
}

cudaLaunchConfig_t launchConfig(const Launch& plan, std::vector<cudaLaunchAttribute>& attributes)
{
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(plan.grid[0], plan.grid[1], plan.grid[2]);
    config.blockDim = dim3(plan.block[0], plan.block[1], plan.block[2]);
    config.dynamicSmemBytes = plan.dynamicSharedBytes;
    config.attrs = attributes.data();
    config.numAttrs = static_cast<unsigned>(attributes.size());
    return config;
}

} // namespace ptxwb::gpu
