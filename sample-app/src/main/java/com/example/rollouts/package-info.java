/**
 * Follows the Deployments of a Kubernetes cluster and their pods.
 */
@NullMarked
package com.example.rollouts;

import org.jspecify.annotations.NullMarked;
