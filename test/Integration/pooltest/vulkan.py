"""Runs compute kernels in SPIR-V on a CPU, by Mesa's Vulkan driver lavapipe.

`Device.launch` binds buffers to set 0, in their order, and waits for the kernel. Everything
that a launch makes is destroyed after it, since a test launches thousands of kernels.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import contextlib

import numpy as np
import vulkan as vk

STORAGE = vk.VK_DESCRIPTOR_TYPE_STORAGE_BUFFER
COMPUTE = vk.VK_PIPELINE_BIND_POINT_COMPUTE
STAGE = vk.VK_SHADER_STAGE_COMPUTE_BIT
VISIBLE = (vk.VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | vk.VK_MEMORY_PROPERTY_HOST_COHERENT_BIT)
# Vulkan guarantees this number of groups for each dimension, and a driver may have more.
MAX_GROUPS = 65535
# Bytes after each buffer, which no kernel may change
GUARD = 64


class Device:
    def __init__(self):
        application = vk.VkApplicationInfo(apiVersion=vk.VK_MAKE_VERSION(1, 2, 0))
        instance = vk.vkCreateInstance(vk.VkInstanceCreateInfo(pApplicationInfo=application), None)
        found = [(device, vk.vkGetPhysicalDeviceProperties(device))
                 for device in vk.vkEnumeratePhysicalDevices(instance)]
        physical, properties = next((device, properties) for device, properties in found
                                    if properties.deviceType == vk.VK_PHYSICAL_DEVICE_TYPE_CPU)
        self.name = properties.deviceName
        # Every feature that some element type needs. A driver that lacks one refuses the device.
        storage16 = vk.VkPhysicalDeviceVulkan11Features(storageBuffer16BitAccess=1)
        narrow = vk.VkPhysicalDeviceVulkan12Features(
            pNext=storage16, storageBuffer8BitAccess=1, shaderFloat16=1, shaderInt8=1)
        features = vk.VkPhysicalDeviceFeatures2(pNext=narrow, features=vk.VkPhysicalDeviceFeatures(
            shaderFloat64=1, shaderInt64=1, shaderInt16=1))
        queue = vk.VkDeviceQueueCreateInfo(queueFamilyIndex=0, queueCount=1,
                                           pQueuePriorities=[1.0])
        self.device = vk.vkCreateDevice(
            physical, vk.VkDeviceCreateInfo(pNext=features, pQueueCreateInfos=[queue]), None)
        self.queue = vk.vkGetDeviceQueue(self.device, 0, 0)
        memory = vk.vkGetPhysicalDeviceMemoryProperties(physical)
        self.memory_type = next(i for i in range(memory.memoryTypeCount)
                                if memory.memoryTypes[i].propertyFlags & VISIBLE == VISIBLE)

    def launch(self, code, entry, groups, arrays):
        """Runs function `entry` of the module `code` (bytes) on `groups` groups. `arrays` are
        NumPy arrays, and the kernel changes them in place."""
        if not 0 < max(groups) <= MAX_GROUPS or min(groups) < 1:
            raise ValueError(f"kernel '{entry}' has {groups} groups")
        device, count = self.device, len(arrays)
        with contextlib.ExitStack() as stack:
            def make(kind, *arguments):
                made = getattr(vk, f"vkCreate{kind}")(device, *arguments, None)
                stack.callback(getattr(vk, f"vkDestroy{kind}"), device, made, None)
                return made

            module = make("ShaderModule",
                          vk.VkShaderModuleCreateInfo(codeSize=len(code), pCode=code))
            bindings = [vk.VkDescriptorSetLayoutBinding(
                binding=i, descriptorType=STORAGE, descriptorCount=1, stageFlags=STAGE)
                for i in range(count)]
            set_layout = make("DescriptorSetLayout",
                              vk.VkDescriptorSetLayoutCreateInfo(pBindings=bindings))
            layout = make("PipelineLayout", vk.VkPipelineLayoutCreateInfo(pSetLayouts=[set_layout]))
            stage = vk.VkPipelineShaderStageCreateInfo(stage=STAGE, module=module, pName=entry)
            pipeline = vk.vkCreateComputePipelines(
                device, None, 1, [vk.VkComputePipelineCreateInfo(stage=stage, layout=layout)],
                None)[0]
            stack.callback(vk.vkDestroyPipeline, device, pipeline, None)
            sizes = [vk.VkDescriptorPoolSize(type=STORAGE, descriptorCount=count)]
            pool = make("DescriptorPool",
                        vk.VkDescriptorPoolCreateInfo(maxSets=1, pPoolSizes=sizes))
            descriptors = vk.vkAllocateDescriptorSets(device, vk.VkDescriptorSetAllocateInfo(
                descriptorPool=pool, pSetLayouts=[set_layout]))
            buffers = {}
            for i, array in enumerate(arrays):
                # One buffer may be bound twice.
                if id(array) not in buffers:
                    buffers[id(array)] = self._make_buffer(make, stack, array)
                self._bind(descriptors[0], i, *buffers[id(array)])
            commands = make("CommandPool", vk.VkCommandPoolCreateInfo(queueFamilyIndex=0))
            command = vk.vkAllocateCommandBuffers(device, vk.VkCommandBufferAllocateInfo(
                commandPool=commands, commandBufferCount=1))[0]
            vk.vkBeginCommandBuffer(command, vk.VkCommandBufferBeginInfo())
            vk.vkCmdBindPipeline(command, COMPUTE, pipeline)
            vk.vkCmdBindDescriptorSets(command, COMPUTE, layout, 0, 1, descriptors, 0, None)
            vk.vkCmdDispatch(command, *groups)
            vk.vkEndCommandBuffer(command)
            vk.vkQueueSubmit(self.queue, 1, [vk.VkSubmitInfo(pCommandBuffers=[command])], None)
            vk.vkQueueWaitIdle(self.queue)
            for array in arrays:
                memory = buffers[id(array)][1]
                if bytes(memory[array.nbytes:array.nbytes + GUARD]) != b"\xa5" * GUARD:
                    raise RuntimeError(f"kernel '{entry}' stores beyond the end of a buffer")
                array[...] = np.frombuffer(bytes(memory[:array.nbytes]),
                                           array.dtype).reshape(array.shape)

    def _make_buffer(self, make, stack, array):
        """Returns a buffer with the array and a guard after it, and its mapped memory."""
        size = array.nbytes + GUARD
        buffer = make("Buffer", vk.VkBufferCreateInfo(
            size=size, usage=vk.VK_BUFFER_USAGE_STORAGE_BUFFER_BIT))
        needed = vk.vkGetBufferMemoryRequirements(self.device, buffer)
        memory = vk.vkAllocateMemory(self.device, vk.VkMemoryAllocateInfo(
            allocationSize=needed.size, memoryTypeIndex=self.memory_type), None)
        stack.callback(vk.vkFreeMemory, self.device, memory, None)
        vk.vkBindBufferMemory(self.device, buffer, memory, 0)
        mapped = vk.vkMapMemory(self.device, memory, 0, size, 0)
        mapped[:size] = array.tobytes() + b"\xa5" * GUARD
        return buffer, mapped

    def _bind(self, descriptors, binding, buffer, mapped):
        info = vk.VkDescriptorBufferInfo(buffer=buffer, offset=0, range=len(mapped))
        vk.vkUpdateDescriptorSets(self.device, 1, [vk.VkWriteDescriptorSet(
            dstSet=descriptors, dstBinding=binding, descriptorCount=1, descriptorType=STORAGE,
            pBufferInfo=[info])], 0, None)
