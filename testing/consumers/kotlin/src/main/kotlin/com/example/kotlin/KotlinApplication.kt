/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.kotlin

import dev.informer.client.CustomResource
import dev.informer.Lister
import dev.informer.ResourceEvent
import dev.informer.spring.InformerHandler
import io.kubernetes.client.common.KubernetesObject
import io.kubernetes.client.openapi.models.V1ObjectMeta
import io.kubernetes.client.openapi.models.V1Pod
import java.util.concurrent.CopyOnWriteArrayList
import org.springframework.boot.autoconfigure.SpringBootApplication
import org.springframework.boot.runApplication
import org.springframework.stereotype.Component

@SpringBootApplication
class KotlinApplication

fun main(args: Array<String>) {
    runApplication<KotlinApplication>(*args)
}

@CustomResource(group = "example.com", version = "v1", plural = "tenants")
data class Tenant(
    private var apiVersion: String? = null,
    private var kind: String? = null,
    private var metadata: V1ObjectMeta? = null,
    var spec: TenantSpec? = null
) : KubernetesObject {
    override fun getApiVersion() = apiVersion
    override fun getKind() = kind
    override fun getMetadata() = metadata
}

data class TenantSpec(var plan: String = "free", var seats: Int = 1, var owners: List<String> = emptyList())

@Component
class Tenants(private val pods: Lister<V1Pod>) {

    val journal: MutableList<String> = CopyOnWriteArrayList()

    @InformerHandler
    fun changed(tenant: Tenant) {
        journal += "${tenant.getMetadata()?.name} has ${tenant.spec} beside ${pods.size()} pods"
    }

    @InformerHandler
    fun log(event: ResourceEvent<Tenant>) {
        journal += "${event.type()} ${event.`object`().getMetadata()?.name}"
    }
}
